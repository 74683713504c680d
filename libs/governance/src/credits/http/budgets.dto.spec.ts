import { newId } from '@atrium/platform/kernel';
import { faultsOfBody, faultsOfQuery } from '@atrium/platform/testing';
import { CreateBudget, ListBudgets } from './budgets.dto';

const BODY = { bud_name: 'Monthly', bud_scope: 'workspace', bud_period: 'month', bud_credits: 100, bud_action: 'warn' };

describe('a new budget', () => {
  it.each<[string, object, string, string]>([
    ['an empty name', { bud_name: ' ' }, 'bud_name', 'too_short'],
    ['a name of 81 characters', { bud_name: 'x'.repeat(81) }, 'bud_name', 'too_long'],
    ['an unknown scope', { bud_scope: 'planet' }, 'bud_scope', 'choice'],
    ['an unknown period', { bud_period: 'year' }, 'bud_period', 'choice'],
    ['no credits', { bud_credits: 0 }, 'bud_credits', 'too_small'],
    ['fewer than no credits', { bud_credits: -1 }, 'bud_credits', 'too_small'],
    ['a thousand billion credits', { bud_credits: 1e12 }, 'bud_credits', 'too_large'],
    ['a text as its credits', { bud_credits: '5' }, 'bud_credits', 'number'],
    ['an unknown action', { bud_action: 'shout' }, 'bud_action', 'choice'],
    ['six thresholds', { bud_thresholds: [1, 2, 3, 4, 5, 6] }, 'bud_thresholds', 'too_many'],
    ['half a percent', { bud_thresholds: [80.5] }, 'bud_thresholds', 'integer'],
    ['what was spent', { bud_spent: 5 }, 'bud_spent', 'unknown_field'],
    ['a workspace', { tenant_id: newId() }, 'tenant_id', 'unknown_field'],
  ])('is refused with %s', async (_, more, path, code) => {
    expect(await faultsOfBody(CreateBudget, { ...BODY, ...more })).toMatchObject([{ path, code }]);
  });

  it('is refused with nothing in it, naming every field it needs', async () => {
    expect((await faultsOfBody(CreateBudget, {})).map(({ path, code }) => `${path} ${code}`).sort()).toEqual(
      Object.keys(BODY)
        .map((name) => `${name} required`)
        .sort(),
    );
  });
});

describe('a query of budgets', () => {
  it.each<[string, string, string, string]>([
    ['an unknown scope', 'bud_scope=planet', 'bud_scope', 'choice'],
    ['a word in the place of a boolean', 'bud_active=perhaps', 'bud_active', 'boolean'],
    ['an unknown parameter', 'colour=red', 'colour', 'unknown_field'],
  ])('is refused with %s', async (_, query, path, code) => {
    expect(await faultsOfQuery(ListBudgets, query)).toMatchObject([{ path, code }]);
  });
});
