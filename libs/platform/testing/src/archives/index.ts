export * from './read-zip';
export * from './package-of';
export * from './workbook-of';
