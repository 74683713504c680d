import { newId } from '@atrium/platform/kernel';
import type { RunningApi } from '@atrium/platform/testing';
import { startAtrium } from '../support/api';
import { commandLine, type Ended } from '../support/command-line';
import { Crediting } from './crediting';

let api: RunningApi;
let credits: Crediting;

beforeAll(async () => {
  api = await startAtrium();
  credits = new Crediting(api);
});
afterAll(() => api.close());

const atrium = (...words: readonly string[]): Promise<Ended> => commandLine(words);

describe('atrium credits grant', () => {
  it('gives a workspace credits, once for an outside reference', async () => {
    const workspace = await credits.workspace();
    const give = [
      'credits',
      'grant',
      workspace.tenant_id,
      '--credits',
      '125.5',
      '--source',
      'purchase',
      '--priority',
      '7',
      '--note',
      'Invoice 12',
      '--external-id',
      'invoice-12',
      '--json',
    ];
    const first = await atrium(...give);
    expect(first.code).toBe(0);
    expect(JSON.parse(first.out)).toMatchObject({
      grant_credits: 125.5,
      grant_remaining: 125.5,
      grant_source: 'purchase',
      grant_priority: 7,
      grant_note: 'Invoice 12',
      grant_created_by: 'operator:cli',
    });
    expect(JSON.parse((await atrium(...give)).out)).toEqual(JSON.parse(first.out));
    expect(await credits.available(workspace)).toBe(125.5);
  });

  it('ends wrong usage with 2 and an unknown workspace with 3', async () => {
    const workspace = await credits.workspace();
    const codes = await Promise.all([
      atrium('credits', 'grant', workspace.tenant_id, '--credits', '0'),
      atrium('credits', 'grant', workspace.tenant_id, '--credits', '1', '--source', 'gift'),
      atrium('credits', 'grant', workspace.tenant_id, '--credits', '1', '--priority', '101'),
      atrium('credits', 'grant', newId(), '--credits', '1'),
    ]);
    expect(codes.map(({ code }) => code)).toEqual([2, 2, 2, 3]);
    expect(await credits.available(workspace)).toBe(0);
  });
});
