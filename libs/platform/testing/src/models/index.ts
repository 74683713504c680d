export * from './model-server';
export * from './messages-server';
export { type StreamedTurn } from './streamed-turn';
