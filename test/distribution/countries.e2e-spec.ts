import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { storeFile } from '../files/stored-files';
import { startAtriumWithWorker } from '../support/api';
import { countryDatabase } from './country-database';
import { published, refusalAt, statusAt, visitFrom } from './publishing';

const folder = mkdtempSync(join(tmpdir(), 'atrium-countries-'));
const [GEOIP_DB, GEOIP_CSV] = [join(folder, 'countries.mmdb'), join(folder, 'countries.csv')];
let api: RunningApi;
let ours: TestWorkspace;

beforeAll(async () => {
  writeFileSync(GEOIP_DB, countryDatabase({ '203.0.113.0/24': 'FR', '192.0.2.128/25': 'CH', '32.1.0.0/16': 'CH' }));
  writeFileSync(GEOIP_CSV, 'network,country\n198.51.100.0/24,DE\n"2001:db8::/32","JP"\n203.0.113.0/24,IT\nnothing of use\n');
  api = await startAtriumWithWorker({ TRUSTED_PROXIES: '127.0.0.1', EDGE_COUNTRY_HEADER: 'X-Country', GEOIP_DB, GEOIP_CSV });
  ours = await api.workspace(['module-publication']);
}, 60_000);
afterAll(async () => {
  await api.close();
  rmSync(folder, { recursive: true });
});

const from = (address: string): Record<string, string> => ({ 'X-Forwarded-For': address });

describe('the country of an address', () => {
  it('is the one of the MaxMind database, else of the list of networks, and decides who is served', async () => {
    const { file_id } = await storeFile(api, ours);
    const { pub_url } = await published(ours.owner.client, file_id, { distribution: 'restricted', deny: ['FR', 'JP'] });
    expect(await refusalAt(pub_url, from('203.0.113.9'))).toMatchObject({ status: 403, reason: 'territory' });
    expect(await statusAt(pub_url, from('192.0.2.200'))).toBe(200);
    expect(await statusAt(pub_url, from('198.51.100.7'))).toBe(200);
    expect(await refusalAt(pub_url, from('2001:db8::1'))).toMatchObject({ status: 403, reason: 'territory' });
    expect(await refusalAt(pub_url, from('::ffff:203.0.113.9'))).toMatchObject({ status: 403, reason: 'territory' });
    expect(await refusalAt(pub_url, from('192.0.2.1'))).toMatchObject({ status: 403, reason: 'territory' });
  }, 60_000);

  it('is taken from a trusted proxy before any database, and from no one else', async () => {
    const { file_id } = await storeFile(api, ours);
    const { pub_url } = await published(ours.owner.client, file_id, { distribution: 'restricted', deny: ['FR'] });
    expect(await statusAt(pub_url, { ...from('203.0.113.9'), 'X-Country': 'DE' })).toBe(200);
    expect(await refusalAt(pub_url, { ...from('198.51.100.7'), 'X-Country': 'FR' })).toMatchObject({ status: 403, reason: 'territory' });
    expect(await visitFrom('127.0.0.2', pub_url, { ...from('198.51.100.7'), 'X-Country': 'DE' })).toMatchObject({
      status: 403,
      body: { reason: 'territory' },
    });
  }, 60_000);
});
