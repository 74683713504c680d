export * from './stock-server';
