import { Injectable } from '@nestjs/common';
import { join, requireScope, sql, type Sql } from '@atrium/platform/database';
import {
  EXISTS,
  flagField,
  ID,
  listOf,
  numberCondition,
  numericOperands,
  SearchFields,
  unknownOperator,
  WHOLE,
  type SearchField,
  type SearchLeaf,
} from '@atrium/files';
import { ConsentSources } from '../../statuses/application/consent-sources';
import { PeopleRepository } from '../infrastructure/people.repository';

const PEOPLE = { value: listOf(ID) };
const EXAMPLE = ['01890000-0000-7000-8000-0000000000a1'];

/** The leaves `person`, `face_count` and `has_consent_issue`. A person who was merged into another is found as that one. */
@Injectable()
export class PeopleSearchFields {
  constructor(
    private readonly people: PeopleRepository,
    consents: ConsentSources,
    fields: SearchFields,
  ) {
    fields.register(
      this.person(),
      FACE_COUNT,
      flagField('has_consent_issue', ['media'], 'boolean', () => consents.issueCondition()),
    );
  }

  private person(): SearchField {
    return {
      name: 'person',
      scopes: ['media'],
      type: 'uuids of people',
      operators: { has_any: PEOPLE, has_all: PEOPLE, has_none: PEOPLE, exists: EXISTS },
      examples: { has_any: EXAMPLE, has_all: EXAMPLE, has_none: EXAMPLE, exists: true },
      references: { kind: 'person', namesIn: (leaf) => idsOf(leaf), findKnown: (ids) => this.people.filterKnown(ids) },
      compileLeaf: conditionOf,
      candidateQuery: (leaf, _, most) => candidatesOf(leaf, most),
    };
  }
}

const idsOf = ({ op, value }: SearchLeaf): readonly string[] => (op !== 'exists' && Array.isArray(value) ? value.map(String) : []);

/** The person, or whom it was merged into. */
const meant = (ids: readonly string[]): Sql =>
  sql`ARRAY(SELECT coalesce(p.person_merged_into, p.person_id) FROM person p WHERE p.tenant_id = ${requireScope().tenant_id}::uuid AND p.person_id = ANY(${[...ids]}::uuid[]))`;

const shows = (people: Sql): Sql =>
  sql`EXISTS (SELECT FROM face pf WHERE pf.tenant_id = r.tenant_id AND pf.face_file = r.file_id AND ${people})`;

function conditionOf(leaf: SearchLeaf): Sql {
  if (leaf.op === 'exists') return shows(sql`pf.face_person IS NOT NULL`);
  if (leaf.op === 'has_any') return shows(sql`pf.face_person = ANY(${meant(idsOf(leaf))})`);
  if (leaf.op === 'has_all')
    return sql`(${join(
      idsOf(leaf).map((id) => shows(sql`pf.face_person = ANY(${meant([id])})`)),
      ' AND ',
    )})`;
  throw unknownOperator(leaf.field, leaf.op);
}

/** Along the faces of the people: those of one alone suffice where all are wanted. */
function candidatesOf(leaf: SearchLeaf, most: number): Sql | null {
  const { tenant_id } = requireScope();
  const ids = idsOf(leaf);
  if (ids.length === 0 || (leaf.op === 'has_all' && ids.length > 1)) return null;
  return sql`SELECT cf.face_file FROM face cf WHERE cf.tenant_id = ${tenant_id}::uuid AND cf.face_person = ANY(${meant(ids)}) LIMIT ${most}`;
}

const COUNT = sql`(SELECT count(*) FROM face cf WHERE cf.tenant_id = r.tenant_id AND cf.face_file = r.file_id AND cf.face_state <> 'ignored')`;
const ANY_FACE = sql`EXISTS (SELECT FROM face cf WHERE cf.tenant_id = r.tenant_id AND cf.face_file = r.file_id AND cf.face_state <> 'ignored')`;

/** Faces that were found or marked, but for those to be ignored. */
const FACE_COUNT: SearchField = {
  name: 'face_count',
  scopes: ['media'],
  type: 'integer',
  operators: numericOperands(WHOLE),
  examples: { eq: 2, ne: 2, lt: 5, lte: 5, gt: 2, gte: 2, between: [2, 5] },
  compileLeaf: (leaf) => {
    if ((leaf.op === 'gte' && leaf.value === 1) || (leaf.op === 'gt' && leaf.value === 0)) return ANY_FACE;
    if (leaf.op === 'eq' && leaf.value === 0) return sql`NOT ${ANY_FACE}`;
    return numberCondition(COUNT, leaf);
  },
};
