import type { Client } from '@atrium/platform/testing';
import { guest } from '../distribution/sharing';
import { CLOSED_PATHS, SECRETS } from '../forms/planting';
import { createAll, furnishedGround, MODULES, type FurnishedGround } from './furnished';
import { Harvest } from '../support/harvest';
import { allOperations, type Operation } from '../support/operations';
import type { Sighting } from '../support/planted-values';
import { side, Walk, type Question } from '../support/walk';
import { plantClosed } from './closed-ground';
import { KEYS, type ClosedGround, type KeyName, type PartyName } from './closed-parties';
import { BODIES, BODIES_OF_CHANGES, NEARNESS, NOT_ASKED, OF_THEIR_OWN, QUERIES, SHOWN_BY_DESIGN, type ReadIds } from './reading';

jest.setTimeout(400_000);

const OPERATIONS = allOperations();
const isReading = ({ method, name }: Operation): boolean => method === 'get' || name in BODIES;
const READING = OPERATIONS.filter(isReading);
const KEY_NAMES = Object.keys(KEYS) as KeyName[];
/** Who reads no ids of closed rows either. */
const WITHOUT_IDS: ReadonlySet<PartyName> = new Set(['editor', 'viewer', 'other workspace', 'visitor', 'guest']);
/** Ids in the examples of the document. */
const EXAMPLE_IDS = /"0190163d-8694-[0-9a-f-]{22}"/g;

let ground: FurnishedGround;
let planted: ClosedGround;
let ids: ReadIds;
let parties: Readonly<Record<PartyName, (path: string) => Client>>;
let harvest: Harvest;
let questions: readonly Question[];

beforeAll(async () => {
  ground = await furnishedGround();
  const created = await createAll(ground);
  planted = await plantClosed(ground);
  parties = await partiesOf(ground);
  const [viewer, roles] = [
    await ground.workspace.member('viewer'),
    (await ground.workspace.owner.client.get('/admin/roles').expect(200)).body as { data: { role_id: string }[] },
  ];
  ids = { closed: planted.closed, open: planted.open, user_id: viewer.user_id, role_id: roles.data[0]?.role_id ?? '' };
  harvest = harvestOf(created);
  questions = await asked();
}, 400_000);
afterAll(async () => {
  await planted.end();
  await ground.end();
});

async function partiesOf({ api, workspace, session }: FurnishedGround): Promise<typeof parties> {
  const { tenant_id, owner } = workspace;
  const by = (client: Client) => (): Client => client;
  const role = async (name: 'admin' | 'editor' | 'viewer') => by((await workspace.member(name)).client);
  const keys: [KeyName, () => Client][] = [];
  for (const name of KEY_NAMES) keys.push([name, by((await api.memberWithKey(tenant_id, owner.user_id, owner.email, KEYS[name])).client)]);
  const visit = (path: string): Client => guest(api).with(Object.entries(planted.visits).find(([own]) => path.startsWith(own))?.[1] ?? {});
  return {
    // Some of what is one's own is for sessions alone.
    owner: (path) => (path.startsWith('/me/') ? session : owner.client),
    admin: await role('admin'),
    editor: await role('editor'),
    viewer: await role('viewer'),
    ...(Object.fromEntries(keys) as Record<KeyName, () => Client>),
    'other workspace': by((await api.workspace(MODULES)).owner.client),
    visitor: visit,
    guest: by(guest(api)),
  };
}

const matches = (template: string, address: string): boolean => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/?]+')}$`).test(address);

/** Ids for every path parameter: what is closed, what is open beside it, what was created, and what lists answer. */
function harvestOf(created: readonly string[]): Harvest {
  const { closed, open } = planted;
  const templates = OPERATIONS.flatMap(({ path }) => (path.endsWith('}') ? [path] : []));
  const byHand = Object.fromEntries(
    [...new Set([...templates, ...Object.keys(closed), ...Object.keys(open)])].map((path) => {
      const own = created.flatMap((address) => (matches(path, address) ? [address.slice(address.lastIndexOf('/') + 1)] : []));
      return [path, () => [...(closed[path] ?? []), ...(open[path] ?? []), ...own.slice(0, 1)]];
    }),
  );
  return new Harvest(ground.workspace.owner.client, byHand, new Set([...Object.values(closed), ...Object.values(open)].flat()));
}

/** Every question that reads, with ids that are there. */
async function asked(): Promise<readonly Question[]> {
  const all: Question[] = [];
  for (const operation of READING)
    for (const path of await harvest.pathsOf(operation.path)) {
      for (const body of BODIES[operation.name]?.(ids) ?? []) all.push({ operation, path, body });
      if (operation.method !== 'get') continue;
      const queries = QUERIES[operation.name] ?? [''];
      for (const query of typeof queries === 'function' ? queries(ids) : queries)
        all.push({ operation, path: query === '' ? path : `${path}?${query}` });
    }
  return all;
}

/** Ids of rows that the owner alone reads. */
const closedIds = (): readonly string[] => Object.values(planted.closed).flat();

const oneOfEachKind = (): readonly string[] => Object.values(planted.closed).flatMap(([id]) => id ?? []);

/** Whether somebody reads it, and a party does not. */
const isHidden = (readers: readonly PartyName[], party: PartyName): boolean => readers.length > 0 && !readers.includes(party);

/** What is closed to somebody. */
const closedTo = (party: PartyName): readonly string[] => [
  ...planted.secrets.flatMap(({ value, readers }) => (readers.includes(party) ? [] : [value])),
  ...(WITHOUT_IDS.has(party) ? closedIds() : []),
];

const walkOf = (party: PartyName, values: readonly string[] = [...planted.secrets.map(({ value }) => value), ...closedIds()]): Walk =>
  new Walk(ground.api.url, parties[party], values);

/** Sightings of what is closed to somebody, each with what it is. */
function faults(party: PartyName, sightings: readonly Sighting[]): readonly string[] {
  const closed = new Set(closedTo(party));
  const kindOf = (id: string): string => Object.entries(planted.closed).find(([, own]) => own.includes(id))?.[0] ?? '';
  const of = (value: string): string => planted.secrets.find((one) => one.value === value)?.of ?? `the id of ${kindOf(value)}`;
  const isMeant = ({ request, value }: Sighting): boolean =>
    SHOWN_BY_DESIGN.some(({ what, requests }) => what.test(`${value} ${of(value)}`) && requests.test(request));
  const shown = sightings.filter((one) => closed.has(one.value) && !isMeant(one));
  return [...new Set(shown.map(({ request, where, value }) => `${party}: ${request} shows ${value} (${of(value)}) in its ${where}`))];
}

describe('what is closed to somebody', () => {
  const answered = new Set<string>();

  it.each<PartyName>(['owner', 'admin', 'editor', 'viewer', ...KEY_NAMES, 'other workspace', 'visitor', 'guest'])(
    'shows in no answer, cursor, link, stream or error of any reading operation: %s',
    async (party) => {
      const walk = walkOf(party);
      await walk.ask(questions);
      for (const { operation } of walk.answered) answered.add(operation.name);
      expect(faults(party, walk.sightings)).toEqual([]);
      expect(failed(walk)).toEqual([]);
      // What nobody sees at all would be closed by mistake, or planted nowhere.
      const readable = planted.secrets.filter(({ readers }) => readers.includes(party));
      expect(readable.flatMap(({ value, of }) => (walk.seen.has(value) ? [] : [`${value} (${of})`]))).toEqual([]);
    },
  );

  it('is asked of every reading operation that the document has: each answers somebody, or is named with its reason', () => {
    expect(READING.flatMap(({ name }) => (answered.has(name) || name in NOT_ASKED ? [] : [name]))).toEqual([]);
    const names = new Set(OPERATIONS.map(({ name }) => name));
    const named = [NOT_ASKED, BODIES, QUERIES, BODIES_OF_CHANGES].flatMap((one) => Object.keys(one));
    expect(named.filter((name) => !names.has(name) || (name in NOT_ASKED && answered.has(name)))).toEqual([]);
  });

  it.each<PartyName>(['viewer', 'editor'])('is found by no order and no filter of a list: %s', async (party) => {
    const walk = walkOf(party, closedTo(party));
    const lists = await listsOf(walk);
    expect(lists.length).toBeGreaterThan(50);
    await walk.sort(lists);
    const words = new Map<string, string>(
      [...planted.secrets].reverse().flatMap(({ of, value, readers }) => (isHidden(readers, party) ? [[of, value] as const] : [])),
    );
    const content = Object.fromEntries(CLOSED_PATHS.map((path) => [path, SECRETS.top]));
    await walk.filter(lists, walkOf('owner'), { words: [...words.values()], ids: oneOfEachKind(), content, without: NEARNESS });
    expect(faults(party, walk.sightings)).toEqual([]);
  });

  /** What each change has answered to those who may not make it. */
  const refusals = new Map<string, ReadonlySet<number>>();

  it.each<PartyName>(['editor', 'admin', ...KEY_NAMES, 'other workspace', 'guest'])(
    'is changed by nobody who does not read it: %s',
    async (party) => {
      const there = await state();
      const walk = walkOf(party);
      const changes = await changesOf(
        (path) => isClosed(path) && OF_THEIR_OWN[party]?.test(path) !== true,
        ({ name, example }) => [BODIES_OF_CHANGES[name] ?? example],
      );
      const done: string[] = [];
      await side(changes, async (question) => {
        const { status } = await walk.put(question);
        if (status < 300) done.push(`${party}: ${question.operation.name} answers ${status}: ${question.path}`);
      });
      for (const [name, statuses] of walk.statuses) refusals.set(name, new Set([...(refusals.get(name) ?? []), ...statuses]));
      expect(done).toEqual([]);
      expect(faults(party, walk.sightings)).toEqual([]);
      expect(await state()).toEqual(there);
    },
  );

  it('is refused to them for want of a right to it, and not for a body that nobody could send', () => {
    const refusing: readonly number[] = [401, 403, 404];
    expect(refusals.size).toBeGreaterThan(80);
    const unclear = [...refusals].filter(([, statuses]) => [...statuses].some((status) => !refusing.includes(status)));
    expect(unclear.map(([name, statuses]) => `${name} answers ${[...statuses].join(', ')}`)).toEqual([]);
  });

  it.each<PartyName>(['editor', 'other workspace'])('is neither shown nor changed where its id is in a body: %s', async (party) => {
    const there = await state();
    const walk = walkOf(party);
    const bodies = ({ example }: Operation) => {
      const text = JSON.stringify(example ?? {});
      return oneOfEachKind()
        .map((id) => text.replace(EXAMPLE_IDS, `"${id}"`))
        .flatMap((body) => (body === text ? [] : [JSON.parse(body) as object]));
    };
    const changes = await changesOf((path) => !isClosed(path), bodies);
    await side(changes, async (question) => void (await walk.put(question)));
    expect(walk.statuses.size).toBeGreaterThan(20);
    expect(faults(party, walk.sightings)).toEqual([]);
    expect(await state()).toEqual(there);
  });
});

const isClosed = (path: string): boolean => path.split('/').some((part) => closedIds().includes(part));

/** Operations that failed, and so said nothing of what they show. */
const failed = ({ statuses }: Walk): readonly string[] => [...statuses].flatMap(([name, all]) => (all.has(500) ? [name] : []));

/** The lists that somebody reads, each once. */
async function listsOf(walk: Walk): Promise<readonly Question[]> {
  const isList = ({ method, hasCursor, texts, isStream }: Operation): boolean =>
    method === 'get' && !isStream && (hasCursor || texts.length > 0);
  await walk.ask(questions.filter(({ operation }) => isList(operation)));
  const known = new Set<string>();
  return walk.answered.filter(({ operation: { name } }) => !known.has(name) && known.add(name));
}

/** Questions that change something, at the paths that are asked for. */
async function changesOf(
  isMeant: (path: string) => boolean,
  bodies: (operation: Operation) => readonly (object | undefined)[],
): Promise<readonly Question[]> {
  const all: Question[] = [];
  for (const operation of OPERATIONS.filter((one) => !isReading(one)))
    for (const path of (await harvest.pathsOf(operation.path)).filter(isMeant))
      for (const body of bodies(operation)) all.push({ operation, path, ...(body === undefined ? {} : { body }) });
  return all;
}

/** The rows that are closed, as the owner finds them: whether they are there, and in which version. */
async function state(): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  const whole = walkOf('owner', []);
  const own = questions.filter(
    ({ operation, path, body }) => body === undefined && closedIds().some((id) => path.endsWith(`/${id}`)) && !operation.isStream,
  );
  await side(own, async (question) => {
    const { status, headers } = await whole.put(question);
    found[question.path] = `${status} ${headers.etag ?? ''}`;
  });
  expect(Object.keys(found).length).toBeGreaterThan(closedIds().length / 2);
  return found;
}
