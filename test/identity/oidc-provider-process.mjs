/*
 * A real OpenID provider in a process of its own: prints `{"issuer": …}` when it listens. A line on its standard input
 * is an order: `{"accounts": {"<login>": {claims}}}` says who there is, `{"rotate": true}` replaces all of its keys.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { Provider } from 'oidc-provider';

const CLIENT = {
  client_id: 'atrium',
  client_secret: 'a secret between us',
  redirect_uris: ['https://app.example.com/callback'],
  response_types: ['code'],
  grant_types: ['authorization_code'],
};
const COOKIE_KEYS = [randomBytes(16).toString('hex')];

let accounts = {};
let handle;

const server = createServer((request, response) => handle(request, response));

function freshKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomBytes(8).toString('hex'), use: 'sig', alg: 'RS256' };
}

function provide(issuer) {
  const provider = new Provider(issuer, {
    clients: [CLIENT],
    jwks: { keys: [freshKey()] },
    cookies: { keys: COOKIE_KEYS },
    conformIdTokenClaims: false,
    pkce: { required: () => false },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'realm_access'] },
    findAccount: (_, id) => (accounts[id] ? { accountId: id, claims: () => ({ sub: id, ...accounts[id] }) } : undefined),
  });
  handle = provider.callback();
}

server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  provide(issuer);
  createInterface({ input: process.stdin }).on('line', (line) => {
    const order = JSON.parse(line);
    if (order.accounts) accounts = order.accounts;
    if (order.rotate) provide(issuer);
    process.stdout.write(`${JSON.stringify({ done: order.id })}\n`);
  });
  process.stdin.on('end', () => process.exit(0));
  process.stdout.write(`${JSON.stringify({ issuer })}\n`);
});
