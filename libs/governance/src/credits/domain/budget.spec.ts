import { Clock, newId } from '@atrium/platform/kernel';
import { Budget, checkedTarget, type BudgetFacts } from './budget';

class Noon extends Clock {
  now(): Date {
    return new Date('2027-01-31T12:00:00Z');
  }
}

const made = (facts: BudgetFacts = {}): Budget => {
  const budget = Object.assign(new Budget(), { bud_id: newId(), bud_timezone: 'UTC', bud_active: true });
  budget.take(
    { bud_name: 'Monthly', bud_scope: 'workspace', bud_period: 'month', bud_credits: 100, bud_action: 'warn', ...facts },
    new Noon(),
  );
  return budget;
};

describe('a budget', () => {
  it('reports 80 and 100 percent unless configured otherwise, each once and in order', () => {
    expect(made().bud_thresholds).toEqual([80, 100]);
    expect(made({ bud_thresholds: [] }).bud_thresholds).toEqual([]);
    expect(made({ bud_thresholds: [100, 50, 100, 150] }).bud_thresholds).toEqual([50, 100, 150]);
    for (const percent of [0, -5, 1001]) expect(() => made({ bud_thresholds: [percent] })).toThrow('bud_thresholds');
  });

  it('is another one when it binds another, or at other times', () => {
    const budget = made();
    const take = (facts: BudgetFacts): boolean => budget.take(facts, new Noon());
    expect(take({ bud_name: 'Renamed', bud_credits: 5, bud_action: 'block', bud_thresholds: [10], bud_active: false })).toBe(false);
    expect(budget).toMatchObject({
      bud_name: 'Renamed',
      bud_credits: 5,
      bud_action: 'block',
      bud_thresholds: [10],
      bud_active: false,
      bud_scope: 'workspace',
      bud_updated: new Date('2027-01-31T12:00:00Z'),
    });
    expect(take({ bud_period: 'day' })).toBe(true);
    expect(take({ bud_timezone: 'Asia/Kathmandu' })).toBe(true);
    expect(take({ bud_scope: 'user', bud_target: newId() })).toBe(true);
    expect(take({ bud_target: newId() })).toBe(true);
    expect(take({ bud_target: budget.bud_target ?? '' })).toBe(false);
    expect(take({ bud_period: undefined, bud_name: undefined })).toBe(false);
  });

  it('names whom or what it binds, in the form of its scope', () => {
    const id = newId();
    expect(checkedTarget('user', id.toUpperCase())).toBe(id);
    expect(checkedTarget('param', 'ai.output_tokens')).toBe('ai.output_tokens');
    expect(checkedTarget('each_user', null)).toBeNull();
    for (const [scope, target] of [
      ['workspace', id],
      ['each_user', id],
      ['user', null],
      ['param', null],
      ['param', 'gold'],
      ['role', 'editors'],
      ['param', 'toString'],
    ] as const) {
      expect(() => checkedTarget(scope, target)).toThrow('bud_target');
    }
  });
});
