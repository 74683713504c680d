export * from './archives';
export * from './clamd';
export * from './faces';
export * from './harness';
export * from './models';
export * from './pictures';
export * from './postgres';
export * from './s3';
