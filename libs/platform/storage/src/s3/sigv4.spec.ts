import { verifySignature } from '../../../testing/src/s3';
import { presign, signingKey } from './sigv4';

// The keys and requests of the examples that AWS publishes for Signature Version 4.
const EXAMPLE = { accessKey: 'AKIAIOSFODNN7EXAMPLE', secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', region: 'us-east-1' };
const THEN = new Date('2013-05-24T00:00:00Z');
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const HOST = 'examplebucket.s3.amazonaws.com';

describe('Signature Version 4', () => {
  it('derives the signing key of the published example', () => {
    const key = signingKey('wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY', '20150830', 'us-east-1', 'iam');
    expect(key.toString('hex')).toBe('c4afb1cc5771d871763a393e44b703571b55cc28424d1a5e86da6ed3c154a4b9');
  });

  it('presigns the published example', () => {
    const url = new URL(presign(EXAMPLE, { method: 'GET', url: new URL(`https://${HOST}/test.txt`), expiresInSeconds: 86_400, now: THEN }));
    expect(url.searchParams.get('X-Amz-Signature')).toBe('aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404');
    expect(url.searchParams.get('X-Amz-Credential')).toBe('AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request');
  });

  it('signs headers, odd characters and ports so that an independent verifier agrees', () => {
    const headers = { 'content-length': '11', 'x-amz-checksum-sha256': 'YQ==' };
    const signed = presign(EXAMPLE, {
      method: 'PUT',
      url: new URL("http://127.0.0.1:9000/a b/ü(1)'!*"),
      query: { 'response-content-disposition': `x; filename*=UTF-8''a+b%20&=~` },
      headers,
      expiresInSeconds: 60,
      now: THEN,
    });
    const wire = signed.slice('http://127.0.0.1:9000'.length);
    const verified = verifySignature({ method: 'PUT', url: wire, headers: { ...headers, host: '127.0.0.1:9000' } }, EXAMPLE, THEN);
    expect(verified).toMatchObject({ presigned: true, signedHeaders: ['content-length', 'host', 'x-amz-checksum-sha256'] });
    expect(() =>
      verifySignature({ method: 'PUT', url: wire, headers: { ...headers, 'content-length': '12', host: '127.0.0.1:9000' } }, EXAMPLE, THEN),
    ).toThrow('SignatureDoesNotMatch');
  });
});

describe('the verifier of the strict server', () => {
  const authorization = (signedHeaders: string, signature: string): string =>
    `AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=${signedHeaders},Signature=${signature}`;
  const common = { host: HOST, 'x-amz-content-sha256': EMPTY, 'x-amz-date': '20130524T000000Z' };

  it.each([
    [
      'GET',
      '/test.txt',
      { range: 'bytes=0-9' },
      'host;range;x-amz-content-sha256;x-amz-date',
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    ],
    ['GET', '/?lifecycle', {}, 'host;x-amz-content-sha256;x-amz-date', 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'],
    [
      'GET',
      '/?max-keys=2&prefix=J',
      {},
      'host;x-amz-content-sha256;x-amz-date',
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    ],
  ])('accepts the published example %s %s and refuses it changed', (method, url, extra, signedHeaders, signature) => {
    const headers = { ...common, ...extra, authorization: authorization(signedHeaders, signature) };
    expect(verifySignature({ method, url, headers }, EXAMPLE, THEN)).toMatchObject({ presigned: false, payload: EMPTY });
    expect(() => verifySignature({ method: 'PUT', url, headers }, EXAMPLE, THEN)).toThrow('SignatureDoesNotMatch');
    expect(() => verifySignature({ method, url: `${url}x`, headers }, EXAMPLE, THEN)).toThrow('SignatureDoesNotMatch');
    expect(() => verifySignature({ method, url, headers: { ...headers, 'x-amz-acl': 'public' } }, EXAMPLE, THEN)).toThrow('not signed');
    expect(() => verifySignature({ method, url, headers }, { ...EXAMPLE, secretKey: 'other' }, THEN)).toThrow('SignatureDoesNotMatch');
    expect(() => verifySignature({ method, url, headers }, EXAMPLE, new Date())).toThrow('RequestTimeTooSkewed');
  });
});
