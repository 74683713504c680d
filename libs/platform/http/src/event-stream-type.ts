export const EVENT_STREAM_TYPE = 'text/event-stream';
