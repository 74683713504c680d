import { newId } from '@atrium/platform/kernel';
import { faultsOfBody, faultsOfQuery } from '@atrium/platform/testing';
import { ChangeAutomation, ConnectSite, CreateWebhook } from './cms.dto';
import { MergePage } from './pages.dto';
import { ListRunPages, ListRuns, MovePage, MovePages, PushSchemas } from './runs.dto';

const ids = (count: number): string[] => Array.from({ length: count }, () => newId());
const texts = (count: number): string[] => Array.from({ length: count }, (_, at) => `story-${at}`);

describe('bodies of CMS sync', () => {
  it('take what is needed, and all that may be said', async () => {
    expect(await faultsOfBody(ConnectSite, { provider: 'storyblok', settings: { spaceId: '1', token: 'x' }, dryRun: true })).toEqual([]);
    expect(await faultsOfBody(ChangeAutomation, { scan: true, autoPull: 'all', notify: 'changes' })).toEqual([]);
    expect(
      await faultsOfBody(MovePages, {
        resolution: 'remote',
        nodeIds: ids(1_000),
        externalIds: texts(1_000),
        statuses: ['conflict', 'remote_deleted'],
        publish: true,
        force: false,
        background: true,
        dryRun: true,
      }),
    ).toEqual([]);
    const choices = [
      { path: 'name', locale: null, take: 'base' },
      { path: 'hero-0001.headline', locale: 'de', value: null },
    ];
    expect(await faultsOfBody(MergePage, { default: 'local', choices, push: true, publish: true })).toEqual([]);
    for (const body of [ChangeAutomation, CreateWebhook, MovePages, MovePage, PushSchemas, MergePage] as (new () => object)[])
      expect(await faultsOfBody(body, {})).toEqual([]);
  });

  it('are refused with nothing in them where something is needed', async () => {
    expect((await faultsOfBody(ConnectSite, {})).map(({ path }) => path).sort()).toEqual(['provider', 'settings']);
  });

  it.each<[string, new () => object, object, string]>([
    ['another CMS', ConnectSite, { provider: 'sanity', settings: {} }, 'provider'],
    ['settings that are a text', ConnectSite, { provider: 'storyblok', settings: 'token' }, 'settings'],
    ['a field that is unknown', ConnectSite, { provider: 'storyblok', settings: {}, token: 'x' }, 'token'],
    ['a scan that is a text', ChangeAutomation, { scan: 'yes' }, 'scan'],
    ['a pull that is none', ChangeAutomation, { autoPull: 'always' }, 'autoPull'],
    ['a notification that is none', ChangeAutomation, { notify: 'always' }, 'notify'],
    ['a push by itself', ChangeAutomation, { autoPush: 'all' }, 'autoPush'],
    ['a rotation that is a number', CreateWebhook, { rotate: 1 }, 'rotate'],
    ['a resolution that is none', MovePages, { resolution: 'merge' }, 'resolution'],
    ['1,001 pages here', MovePages, { nodeIds: ids(1_001) }, 'nodeIds'],
    ['a page that is no id', MovePages, { nodeIds: ['lamp'] }, 'nodeIds'],
    ['1,001 pages there', MovePages, { externalIds: texts(1_001) }, 'externalIds'],
    ['a page there that is a number', MovePages, { externalIds: [7] }, 'externalIds'],
    ['a verdict that is none', MovePages, { statuses: ['changed'] }, 'statuses'],
    ['a flag that is a text', MovePages, { force: 'true' }, 'force'],
    ['pages for one page', MovePage, { nodeIds: [] }, 'nodeIds'],
    ['501 schemas', PushSchemas, { templateIds: ids(501) }, 'templateIds'],
    ['a schema that is no id', PushSchemas, { templateIds: ['page'] }, 'templateIds'],
    ['1,001 choices', MergePage, { choices: Array.from({ length: 1_001 }, () => ({ path: 'name', take: 'local' })) }, 'choices'],
    ['a choice without a path', MergePage, { choices: [{ take: 'local' }] }, 'choices[0].path'],
    ['a side that is none', MergePage, { choices: [{ path: 'name', take: 'both' }] }, 'choices[0].take'],
    ['a path of 201 characters', MergePage, { choices: [{ path: 'x'.repeat(201), take: 'local' }] }, 'choices[0].path'],
  ])('are refused with %s', async (_what, body, given, path) => {
    expect((await faultsOfBody(body, given)).map((fault) => fault.path)).toContainEqual(expect.stringContaining(path) as string);
  });
});

describe('queries of CMS sync', () => {
  it.each<[string, new () => object, string, string[]]>([
    ['the fewest runs', ListRuns, 'limit=1&direction=schemas_pull', []],
    ['more runs than there may be, which are as many as there may', ListRuns, 'limit=1000', []],
    ['no runs', ListRuns, 'limit=0', ['limit']],
    ['a direction that is none', ListRuns, 'direction=sideways', ['direction']],
    ['a status that is none', ListRunPages, 'status=lost', ['status']],
    ['an action that is none', ListRunPages, 'action=move', ['action']],
    ['no pages', ListRunPages, 'limit=0', ['limit']],
    ['a cursor of 101 characters', ListRunPages, `cursor=${'x'.repeat(101)}`, ['cursor']],
  ])('answer to %s', async (_what, query, given, paths) => {
    expect((await faultsOfQuery(query, given)).map(({ path }) => path)).toEqual(paths);
  });
});
