import { BodyBudget } from './body-budget';

describe('the budget of bodies in flight', () => {
  const budget = (): BodyBudget => new BodyBudget({ whole: 1_000, ofOne: 400 });

  it('counts what has arrived, not what is announced', () => {
    const bodies = budget();
    const [first, second] = [bodies.openBody('192.0.2.1', 400), bodies.openBody('192.0.2.1', 400)];
    expect(first?.add(300)).toBe(true);
    expect(second?.add(100)).toBe(true);
    expect(second?.add(1)).toBe(false);
    expect(bodies.bytes).toBe(400);
  });

  it('has no room for a body that could not arrive whole', () => {
    const bodies = budget();
    bodies.openBody('192.0.2.1', 0)?.add(300);
    expect(bodies.openBody('192.0.2.1', 101)).toBeNull();
    expect(bodies.openBody('192.0.2.1', 100)).not.toBeNull();
  });

  it('bounds one address, a network of IPv6 as one, and all of them together', () => {
    const bodies = budget();
    expect(bodies.openBody('2001:db8::1', 0)?.add(400)).toBe(true);
    expect(bodies.openBody('2001:db8::2', 1)).toBeNull();
    expect(bodies.openBody('2001:db8:0:1::1', 0)?.add(400)).toBe(true);
    expect(bodies.openBody('192.0.2.1', 201)).toBeNull();
    expect(bodies.openBody('192.0.2.1', 200)?.add(200)).toBe(true);
  });

  it('has its room back when a body is released, however often', () => {
    const bodies = budget();
    const body = bodies.openBody('192.0.2.1', 0);
    body?.add(400);
    body?.release();
    body?.release();
    expect(bodies.bytes).toBe(0);
    expect(bodies.openBody('192.0.2.1', 400)).not.toBeNull();
  });

  it('counts a body as what it weighs, and lets a heavy one in where there is room for it or no other body', () => {
    const bodies = budget();
    const heavy = bodies.openBody('192.0.2.1', 0);
    heavy?.add(100);
    expect(heavy?.weigh(5_000)).toBe(true);
    expect(bodies.openBody('192.0.2.2', 1)).toBeNull();
    heavy?.release();

    const light = bodies.openBody('192.0.2.1', 0);
    light?.add(100);
    expect(light?.weigh(100)).toBe(true);
    const [second, other] = [bodies.openBody('192.0.2.1', 0), bodies.openBody('192.0.2.2', 0)];
    second?.add(100);
    other?.add(100);
    expect(second?.weigh(301)).toBe(false);
    expect(other?.weigh(800)).toBe(true);
    expect(bodies.bytes).toBe(1_000);
    other?.release();
    second?.release();
    expect(light?.weigh(50)).toBe(true);
    expect(bodies.bytes).toBe(100);
  });
});
