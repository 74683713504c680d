export * from './read-zip';
export * from './package-of';
export * from './workbook-of';
export * from './office-of';
export * from './open-document-of';
export * from './text-pdf';
