export * from './config.module';
export * from './keyring';
export * from './settings';
