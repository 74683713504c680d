export * from './model-server';
