import { toProblem, violatesConstraint } from './database-errors';

describe('a violation that a problem was made of', () => {
  const problem = toProblem(Object.assign(new Error('duplicate key'), { code: '23505', constraint: 'agent_name_taken' }));

  it('is known by its constraint, and no other', () => {
    expect(problem).toMatchObject({ code: 'already_exists' });
    expect([violatesConstraint(problem, 'agent_name_taken'), violatesConstraint(problem, 'space_name_taken')]).toEqual([true, false]);
  });

  it('is known where a row is missing that it refers to, too', () => {
    const missing = toProblem(Object.assign(new Error('no such row'), { code: '23503', constraint: 'workspace_user_tenant_id_fkey' }));
    expect(missing).toMatchObject({ code: 'validation_failed' });
    expect(violatesConstraint(missing, 'workspace_user_tenant_id_fkey')).toBe(true);
  });

  it('is shown to nobody', () => {
    expect(JSON.stringify(problem)).not.toContain('agent_name_taken');
  });
});
