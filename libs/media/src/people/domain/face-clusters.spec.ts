import { FaceClusters, type KnownPerson, type SortedFace } from './face-clusters';

const SIZE = 512;

/** A direction that is `near` to the axis: 0 is the axis itself, one is far away; `side` says in which direction it strays. */
function vector(axis: number, near = 0, side = 200): Float32Array {
  const values = new Float32Array(SIZE);
  values[axis] = Math.cos(near);
  values[side] = Math.sin(near);
  return values;
}

const face = (id: string, file: string, values: Float32Array, more: Partial<SortedFace> = {}): SortedFace => ({
  id,
  file,
  vector: values,
  model: 'm',
  person: null,
  state: 'unassigned',
  decided: false,
  fresh: true,
  taken: null,
  ...more,
});
const known = (...people: readonly Partial<KnownPerson>[]): Map<string, KnownPerson> =>
  new Map(people.map((person) => [person.id ?? 'p', { id: 'p', born: null, refused: false, ...person }]));

function sort(faces: readonly SortedFace[], people = known(), rejected: Record<string, readonly string[]> = {}) {
  let made = 0;
  const steps = new FaceClusters(
    faces,
    people,
    new Map(Object.entries(rejected).map(([id, list]) => [id, new Set(list)])),
    () => `new${++made}`,
  ).sortStepwise();
  let step = steps.next();
  while (!step.done) step = steps.next();
  const { verdicts, people: fresh } = step.value;
  return {
    fresh,
    of: Object.fromEntries(verdicts.map((verdict) => [verdict.face, verdict.state === 'assigned' ? verdict.person : verdict.state])),
  };
}

const member = (id: string, file: string, near = 0): SortedFace =>
  face(id, file, vector(1, near), { person: 'p', state: 'assigned', fresh: false });

describe('sorting faces', () => {
  it('makes somebody new of three that are near each other in different files, and of no fewer', () => {
    expect(sort([face('a', '1', vector(1)), face('b', '2', vector(1, 0.3))])).toEqual({
      fresh: [],
      of: { a: 'unassigned', b: 'unassigned' },
    });
    expect(sort([face('a', '1', vector(1)), face('b', '2', vector(1, 0.3)), face('c', '2', vector(1, 0.2))]).fresh).toEqual([]);
    expect(sort([face('a', '1', vector(1)), face('b', '2', vector(1, 0.3)), face('c', '3', vector(1, 0.2))])).toEqual({
      fresh: ['new1'],
      of: { a: 'new1', b: 'new1', c: 'new1' },
    });
  });

  it('gives a face to whom it is near, suggests who is likely, and takes nobody twice in a file', () => {
    const near = face('x', '9', vector(1, 0.4, 300));
    const likely = face('y', '8', vector(1, 1.05, 301));
    expect(sort([member('a', '1'), near, likely], known({}))).toMatchObject({ of: { x: 'p', y: 'suggested' } });
    expect(sort([member('a', '1'), face('x', '1', vector(1, 0.1))], known({})).of).toEqual({ x: 'unassigned' });
    expect(sort([member('a', '1'), face('x', '2', vector(1, 0.1)), face('y', '2', vector(1, 0.2))], known({})).of).toEqual({
      x: 'p',
      y: 'unassigned',
    });
  });

  it('passes over who was rejected, not yet born, or refused, and faces of another model', () => {
    const faces = (more: Partial<SortedFace> = {}): SortedFace[] => [member('a', '1'), face('x', '2', vector(1, 0.1), more)];
    expect(sort(faces(), known({}), { x: ['p'] }).of).toEqual({ x: 'unassigned' });
    expect(sort(faces({ taken: '1999-12-31T10:00:00.000Z' }), known({ born: '2000-01-01' })).of).toEqual({ x: 'unassigned' });
    expect(sort(faces({ taken: '2000-01-01T10:00:00.000Z' }), known({ born: '2000-01-01' })).of).toEqual({ x: 'p' });
    expect(sort(faces(), known({ refused: true })).of).toEqual({ x: 'unassigned' });
    expect(sort(faces({ model: 'other' }), known({})).of).toEqual({ x: 'unassigned' });
  });

  it('never touches what people decided, nor what is not fresh', () => {
    expect(sort([member('a', '1'), face('x', '2', vector(1, 0.1), { decided: true })], known({})).of).toEqual({});
    expect(sort([member('a', '1'), face('x', '2', vector(1, 0.1), { fresh: false })], known({})).of).toEqual({});
  });

  it('looks again at faces that wait when somebody near them is found', () => {
    const waiting = face('z', '4', vector(1, 0.8, 300), { fresh: false });
    expect(
      sort([face('a', '1', vector(1, 0.4, 300)), face('b', '2', vector(1, 0.45, 300)), face('c', '3', vector(1, 0.5, 300)), waiting]).of,
    ).toMatchObject({ z: 'new1' });
  });

  it('ends the same however the faces come', () => {
    const faces = Array.from({ length: 40 }, (_, at) =>
      face(`f${String(at).padStart(2, '0')}`, `file${at % 30}`, vector(at % 4, (at % 7) / 12, 100 + (at % 5))),
    );
    expect(sort([...faces].reverse())).toEqual(sort(faces));
  });

  it('sorts one more face in a small part of the time that all of them take', () => {
    const people = known(...Array.from({ length: 50 }, (_, at) => ({ id: `p${at}` })));
    const settled = Array.from({ length: 2_000 }, (_, at) =>
      face(`s${String(at).padStart(5, '0')}`, `file${at}`, vector(at % 50, 0.1, 100 + (at % 300)), {
        person: `p${at % 50}`,
        state: 'assigned',
        fresh: false,
      }),
    );
    const began = performance.now();
    sort(
      settled.map((one) => ({ ...one, person: null, state: 'unassigned' as const, fresh: true })),
      people,
    );
    const whole = performance.now() - began;
    const again = performance.now();
    expect(sort([...settled, face('t', 'new', vector(7, 0.12))], people).of).toEqual({ t: 'p7' });
    expect(performance.now() - again).toBeLessThan(whole / 5);
  });
});
