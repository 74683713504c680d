import type { RunningApi } from '@atrium/platform/testing';
import { startAtrium } from '../support/api';
import { nodesOf, rowsRead, sentDuring } from '../support/sent-statements';
import { Desk, flowOf, LEAFLET, MadeUpSubjects } from './made-up-subjects';

const REQUESTS = 100_000;
const MINE = 40;

let api: RunningApi;
let desk: Desk;

beforeAll(async () => {
  api = await startAtrium();
  await MadeUpSubjects.start(api, LEAFLET);
  desk = new Desk(api, await api.workspace());
}, 120_000);
afterAll(() => api.close());

it('what waits for a person is found by an index among a hundred thousand requests', async () => {
  const [editor, other] = [await desk.ours.member('editor'), await desk.ours.member('editor')];
  const flow = await desk.activeFlow(flowOf('leaflet'));
  const { tenant_id } = desk.ours;
  await api.sql(
    `INSERT INTO leaflet (tenant_id, id, name) SELECT $1, md5('leaflet' || n)::uuid, 'Leaflet ' || n FROM generate_series(1, ${REQUESTS}) n`,
    [tenant_id],
  );
  await api.sql(
    `INSERT INTO approval_request (tenant_id, car_id, car_flow, car_transition, car_subject_type, car_subject_id, car_locale, car_version, car_hash, car_requested_by, car_created)
     SELECT $1, md5('request' || n)::uuid, $2, '{"key": "approve", "name": "Approve", "approvals": {"count": 1, "movers": {"users": [], "roles": [], "permissions": [], "creator": false}}}',
       'leaflet', md5('leaflet' || n)::uuid, 'en', '1', 'h', $3, timestamptz '2026-01-01' + n * interval '1 second' FROM generate_series(1, ${REQUESTS}) n`,
    [tenant_id, flow, desk.ours.owner.user_id],
  );
  await api.sql(
    `INSERT INTO approval_waiting (tenant_id, caw_id, caw_request, caw_kind, caw_ref)
     SELECT $1, gen_random_uuid(), md5('request' || n)::uuid, 'user', CASE WHEN n <= ${MINE} THEN $2 ELSE $3 END FROM generate_series(1, ${REQUESTS}) n`,
    [tenant_id, editor.user_id, other.user_id],
  );
  await api.sql('ANALYZE leaflet, approval_request, approval_waiting, approval_decision');
  let ids: string[] = [];
  const sent = await sentDuring(api, async () => {
    ids = await desk.list(editor, { mine: true });
  });
  expect(ids).toHaveLength(MINE);
  const list = sent.filter(({ text }) => text.includes('approval_waiting'));
  expect(list).toHaveLength(1);
  const nodes = await nodesOf(api, tenant_id, list[0]!);
  expect(nodes.map((node) => node['Index Name'])).toContain('approval_waiting_queue');
  // Nothing has been decided: that table is empty.
  const scanned = nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name']);
  expect(scanned.filter((table) => table !== 'approval_decision')).toEqual([]);
  for (const table of ['approval_waiting', 'approval_request', 'leaflet'])
    expect([table, rowsRead(nodes, table) <= 3 * MINE]).toEqual([table, true]);
}, 120_000);
