import { getMetadataArgsStorage } from 'typeorm';
import {
  carryField,
  Choice,
  declaredResources,
  Decimal,
  fieldOf,
  fieldsOf,
  Flag,
  Id,
  IdList,
  Json,
  Nested,
  NestedList,
  Ref,
  Resource,
  resourceOf,
  Stamp,
  TenantRow,
  Text,
  TextList,
  Whole,
  WholeList,
} from './fields';

class Plank {
  @Text() plank_wood!: string;
}

class Stored extends TenantRow {
  @Stamp({ generated: true, sort: true }) mast_created!: Date;
  @Text({ optional: true, max: 9 }) mast_label!: string | null;
}

@Resource({ table: 'mast', sort: '-mast_created', served: { mast_ship: ['mast_created'] } })
class Mast extends Stored {
  @Id() mast_id!: string;
  @Ref({ filter: 'equals' }) mast_ship!: string;
  @Whole({ min: 1, max: 99, filter: 'range' }) mast_height!: number;
  @Whole({ column: 'integer' }) mast_sails!: number;
  @Decimal() mast_lean!: number;
  @Flag({ optional: true }) mast_raised!: boolean | null;
  @Choice(['fore', 'main']) mast_place!: string;
  @Json() mast_rigging!: object;
  @IdList() mast_crew!: string[];
  @TextList() mast_flags!: string[];
  @WholeList() mast_knots!: number[];
  @Text({ internal: true }) mast_secret!: string;
  @Text({ computed: true }) mast_story!: string;
  @Nested(() => Plank) mast_plank!: Plank;
  @NestedList(() => Plank) mast_planks!: Plank[];
}

/** A row of the same kind that says one field in its own way. */
class Mizzen extends Mast {
  @Text({ max: 99, sort: true }) override mast_label!: string;
  @Flag() mizzen_small!: boolean;
}

const columnsOf = (type: Function) => getMetadataArgsStorage().columns.filter(({ target }) => target === type);
const columnOf = (type: Function, name: string) => columnsOf(type).find(({ propertyName }) => propertyName === name)?.options;

describe('a declared field', () => {
  it.each([
    ['mast_id', 'id', { type: 'uuid', primary: true }],
    ['mast_ship', 'id', { type: 'uuid', nullable: false }],
    ['mast_height', 'whole', { type: 'bigint', nullable: false }],
    ['mast_sails', 'whole', { type: 'integer', nullable: false }],
    ['mast_lean', 'number', { type: 'double precision', nullable: false }],
    ['mast_raised', 'flag', { type: 'boolean', nullable: true }],
    ['mast_place', 'choice', { type: 'text', nullable: false }],
    ['mast_rigging', 'json', { type: 'jsonb', nullable: false }],
    ['mast_crew', 'ids', { type: 'uuid', array: true, nullable: false }],
    ['mast_flags', 'texts', { type: 'text', array: true, nullable: false }],
    ['mast_knots', 'wholes', { type: 'integer', array: true, nullable: false }],
    ['mast_secret', 'text', { type: 'text', nullable: false }],
  ])('%s of the kind %s has its column', (name, kind, column) => {
    expect(fieldOf(Mast, name)).toMatchObject({ name, kind });
    expect(columnOf(Mast, name)).toMatchObject(column);
  });

  it('keeps milliseconds of a time and nothing finer, so that a cursor finds its row again', () => {
    expect(columnOf(Stored, 'mast_created')).toMatchObject({ type: 'timestamptz', precision: 3 });
  });

  it.each(['mast_story', 'mast_plank', 'mast_planks'])('%s is computed and has no column', (name) => {
    expect(fieldOf(Mast, name).computed).toBe(true);
    expect(columnOf(Mast, name)).toBeUndefined();
  });

  it('describes what was declared and nothing more', () => {
    expect(fieldOf(Mast, 'mast_height')).toEqual({ name: 'mast_height', kind: 'whole', min: 1, max: 99, filter: 'range' });
    expect(fieldOf(Mast, 'mast_place')).toEqual({ name: 'mast_place', kind: 'choice', values: ['fore', 'main'] });
    expect(fieldOf(Mast, 'mast_lean')).toEqual({ name: 'mast_lean', kind: 'number' });
    expect(fieldOf(Mast, 'mast_planks').of?.()).toBe(Plank);
  });

  it('that is the own id can be filtered by, as nothing else can unless it says so', () => {
    expect([...fieldsOf(Mast).values()].filter(({ filter }) => filter).map(({ name }) => name)).toEqual([
      'mast_id',
      'mast_ship',
      'mast_height',
    ]);
  });

  it('that is not declared is named in the error', () => {
    expect(() => fieldOf(Mast, 'mast_age')).toThrow('Mast declares no field mast_age.');
    expect(() => fieldOf(Mast, 'constructor')).toThrow('Mast declares no field constructor.');
  });
});

describe('the fields of a class', () => {
  it('begin with the inherited ones, and hold neither the workspace nor the version', () => {
    const names = [...fieldsOf(Mast).keys()];
    expect(names.slice(0, 3)).toEqual(['mast_created', 'mast_label', 'mast_id']);
    expect(names).not.toEqual(expect.arrayContaining(['tenant_id']));
    expect(names).not.toEqual(expect.arrayContaining(['row_version']));
    expect(columnsOf(TenantRow).map(({ propertyName }) => propertyName)).toEqual(['tenant_id', 'row_version']);
  });

  it('hold one that is declared again once, in its place, as the subclass says it; the parent keeps its own', () => {
    const names = [...fieldsOf(Mizzen).keys()];
    expect(names.filter((name) => name === 'mast_label')).toHaveLength(1);
    expect(names.indexOf('mast_label')).toBe(1);
    expect(names.at(-1)).toBe('mizzen_small');
    expect(fieldOf(Mizzen, 'mast_label')).toEqual({ name: 'mast_label', kind: 'text', max: 99, sort: true });
    expect(fieldOf(Mast, 'mast_label')).toEqual({ name: 'mast_label', kind: 'text', max: 9, optional: true });
    expect(fieldsOf(Mast).has('mizzen_small')).toBe(false);
  });

  it('are none where none are declared', () => {
    expect(fieldsOf(class {}).size).toBe(0);
  });

  it('can be carried to a class made at run time, which leaves their owner as it was', () => {
    class Body {}
    carryField(Body, { ...fieldOf(Mast, 'mast_height'), optional: true });
    carryField(Body, fieldOf(Mast, 'mast_ship'));
    expect([...fieldsOf(Body).keys()]).toEqual(['mast_height', 'mast_ship']);
    expect(fieldOf(Body, 'mast_height').optional).toBe(true);
    expect(fieldOf(Mast, 'mast_height').optional).toBeUndefined();
    expect(columnsOf(Body)).toEqual([]);
  });
});

describe('a resource', () => {
  it('is its table, its order, its id and what is served', () => {
    expect(resourceOf(Mast)).toEqual({ table: 'mast', sort: '-mast_created', served: { mast_ship: ['mast_created'] }, id: 'mast_id' });
    expect(declaredResources()).toContain(Mast);
    expect(getMetadataArgsStorage().tables.find(({ target }) => target === Mast)?.name).toBe('mast');
  });

  it('takes its id from what it inherits', () => {
    @Resource({ table: 'jigger', sort: 'mast_created' })
    class Jigger extends Mast {}
    expect(resourceOf(Jigger)).toEqual({ table: 'jigger', sort: 'mast_created', id: 'mast_id' });
  });

  it('without an id is refused where it is written, and counts for nothing', () => {
    class Buoy {
      @Ref() buoy_of!: string;
    }
    expect(() => Resource({ table: 'buoy', sort: 'buoy_of' })(Buoy)).toThrow('Buoy declares no @Id.');
    expect(declaredResources()).not.toContain(Buoy);
    expect(() => resourceOf(Buoy)).toThrow('Buoy is not a @Resource.');
  });

  it('is what says so itself: a subclass of one is none', () => {
    expect(() => resourceOf(Mizzen)).toThrow('Mizzen is not a @Resource.');
  });
});
