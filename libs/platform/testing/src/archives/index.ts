export * from './read-zip';
