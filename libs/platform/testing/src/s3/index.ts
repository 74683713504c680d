export { StrictS3Server } from './strict-s3-server';
export { S3Refusal, verifySignature, type StrictCredentials } from './strict-signature';
export { SwiftServer } from './swift-server';
