export * from './model-server';
export * from './messages-server';
export { type ChatHabits } from './chat-habits';
export { type StreamedTurn } from './streamed-turn';
