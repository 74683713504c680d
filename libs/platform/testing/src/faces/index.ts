export * from './face-server';
