import { toProblem, violates } from './database-errors';

describe('a violation that a problem was made of', () => {
  const problem = toProblem(Object.assign(new Error('duplicate key'), { code: '23505', constraint: 'agent_name_taken' }));

  it('is known by its constraint, and no other', () => {
    expect(problem).toMatchObject({ code: 'already_exists' });
    expect([violates(problem, 'agent_name_taken'), violates(problem, 'space_name_taken')]).toEqual([true, false]);
  });

  it('is shown to nobody', () => {
    expect(JSON.stringify(problem)).not.toContain('agent_name_taken');
  });
});
