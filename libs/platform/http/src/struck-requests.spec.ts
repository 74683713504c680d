import { createHash, randomBytes } from 'node:crypto';
import { Keyring } from '@atrium/platform/config';
import type { Database } from '@atrium/platform/database';
import type { Problem } from '@atrium/platform/kernel';
import { operationOf, StruckRequests } from './struck-requests';

const OURS = '0190163d-8694-739b-aea5-966c26f8ad91';
const THEIRS = '0190163d-8694-739b-aea5-966c26f8ad92';
const KEYRING = new Keyring(randomBytes(32).toString('base64'));
const POISON = {
  method: 'POST',
  originalUrl: '/api/v1/assist/extract?x=1',
  routePattern: '/api/v1/assist/extract',
  ip: '203.0.113.7',
  body: { text: 'aaaa' },
};

async function struckBy(request: typeof POISON, tenant_id: string | null): Promise<StruckRequests> {
  const rows: object[] = [];
  const struck = new StruckRequests({ queryAcrossTenants: () => Promise.resolve(rows) } as unknown as Database, KEYRING);
  rows.push({ operation: operationOf(request), fingerprint: struck.toFingerprint(request, tenant_id) });
  await struck.readStrikes();
  return struck;
}

function answerOf(struck: StruckRequests, request: typeof POISON, tenant_id: string | null): string {
  try {
    struck.assertHarmless(request, tenant_id);
    return 'answered';
  } catch (error) {
    return (error as Problem).code;
  }
}

describe('requests that have ended two processes', () => {
  it('are refused, and none that differs in route, address or body', async () => {
    const struck = await struckBy(POISON, OURS);
    expect(answerOf(struck, { ...POISON, body: { text: 'aaaa' } }, OURS)).toBe('unprocessable_content');
    for (const other of [{ body: { text: 'aaab' } }, { originalUrl: '/api/v1/assist/extract?x=2' }, { method: 'PUT' }])
      expect(answerOf(struck, { ...POISON, ...other }, OURS)).toBe('answered');
  });

  it('are known by a digest that nobody makes without the master key', () => {
    const madeWith = (keyring: Keyring): string => new StruckRequests({} as Database, keyring).toFingerprint(POISON, OURS);
    const said = `${OURS}\nPOST ${POISON.originalUrl}\n${JSON.stringify(POISON.body)}`;
    expect(madeWith(KEYRING)).toBe(madeWith(KEYRING));
    expect(madeWith(KEYRING)).not.toBe(madeWith(new Keyring(randomBytes(32).toString('base64'))));
    expect(madeWith(KEYRING)).not.toBe(createHash('sha256').update(said).digest('base64'));
  });

  it('are refused in their workspace alone', async () => {
    const struck = await struckBy(POISON, OURS);
    expect(answerOf(struck, POISON, THEIRS)).toBe('answered');
    expect(answerOf(struck, POISON, null)).toBe('answered');
  });

  it('are refused from their address alone where no workspace is known', async () => {
    const struck = await struckBy(POISON, null);
    expect(answerOf(struck, POISON, null)).toBe('unprocessable_content');
    expect(answerOf(struck, { ...POISON, ip: '203.0.113.8' }, null)).toBe('answered');
  });
});
