import { Clock } from '@atrium/platform/kernel';
import { assertSchedulable, PublishSchedule } from './publish-schedule';

const NOW = new Date('2028-02-29T08:00:00.000Z');

class StoppedClock extends Clock {
  override now(): Date {
    return NOW;
  }
}
const clock = new StoppedClock();

const schedule = (facts: Partial<Parameters<typeof PublishSchedule.blank>[0]> = {}): PublishSchedule =>
  PublishSchedule.blank(
    {
      sch_id: 's',
      sch_site: 'site',
      sch_action: 'publish',
      sch_at: new Date('2028-02-29T07:59:59.999Z'),
      sch_locales: null,
      sch_freeze: true,
      sch_versions: { a: 'v1' },
      sch_options: {},
      sch_created_by: 'ada',
      sch_key: null,
      node_ids: ['a'],
      ...facts,
    },
    NOW,
  );

describe('a schedule', () => {
  it('names one node, or several without a version of their own', () => {
    expect(schedule()).toMatchObject({ sch_node: 'a', sch_nodes: null, sch_version: 'v1', nodeIds: ['a'] });
    expect(schedule({ node_ids: ['a', 'b'], sch_versions: { a: 'v1', b: 'v2' } })).toMatchObject({
      sch_node: null,
      sch_nodes: ['a', 'b'],
      sch_version: null,
      nodeIds: ['a', 'b'],
    });
  });

  it('is due from its moment on, and only while it waits', () => {
    expect(schedule().isDue(clock)).toBe(true);
    expect(schedule({ sch_at: NOW }).isDue(clock)).toBe(true);
    expect(schedule({ sch_at: new Date(NOW.getTime() + 1) }).isDue(clock)).toBe(false);
    const cancelled = schedule();
    cancelled.cancel(clock);
    expect([cancelled.isDue(clock), cancelled.sch_status, cancelled.sch_finished]).toEqual([false, 'cancelled', NOW]);
  });

  it.each<[string, (one: PublishSchedule) => void]>([
    [
      'it was done',
      (one) => {
        one.complete(clock);
      },
    ],
    [
      'it failed',
      (one) => {
        one.fail('The page is in the trash.', clock);
      },
    ],
    [
      'it was cancelled',
      (one) => {
        one.cancel(clock);
      },
    ],
  ])('cannot be cancelled after %s', (_, end) => {
    const over = schedule();
    end(over);
    expect(() => {
      over.cancel(clock);
    }).toThrow(/cannot be cancelled/);
  });

  it.each([
    ['2028-02-29T08:00:59.999Z', 'min'],
    ['2030-03-01T08:00:00.001Z', 'max'],
  ])('cannot be booked for %s', (at, code) => {
    expect(() => {
      assertSchedulable(new Date(at), clock);
    }).toThrow(expect.objectContaining({ errors: [expect.objectContaining({ path: 'at', code })] }));
  });

  it.each(['2028-02-29T08:01:00.000Z', '2030-03-01T08:00:00.000Z'])('can be booked for %s', (at) => {
    expect(() => {
      assertSchedulable(new Date(at), clock);
    }).not.toThrow();
  });
});
