import { Injectable, type OnModuleInit } from '@nestjs/common';
import { choiceValue, comparableOperands, SearchFields, unknownOperator, type SearchField, type SearchLeaf } from '@atrium/files';
import { requireScope, sql, type Sql } from '@atrium/platform/database';
import { PUBLICATION_STATES } from '../domain/publication';

/** Of files that were never released, nor have rules waiting for it. */
const NONE = 'none';

/** The leaf `pub_state`: the publication state of a file. A file has one publication, or none. */
@Injectable()
export class PublicationSearchField implements OnModuleInit {
  constructor(private readonly fields: SearchFields) {}

  onModuleInit(): void {
    this.fields.register(PUB_STATE);
  }
}

const PUB_STATE: SearchField = {
  name: 'pub_state',
  scopes: ['media', 'docs'],
  type: 'none, draft, scheduled, published or revoked',
  operators: comparableOperands(choiceValue([NONE, ...PUBLICATION_STATES]), ['in']),
  examples: { eq: 'published', ne: 'revoked', in: ['none', 'draft'] },
  compileLeaf: conditionOf,
  candidateQuery: (leaf, _, most) => candidatesOf(leaf, most),
};

function conditionOf(leaf: SearchLeaf): Sql {
  if (leaf.op !== 'eq' && leaf.op !== 'in') throw unknownOperator(leaf.field, leaf.op);
  const states = statesOf(leaf);
  const released = sql`EXISTS (SELECT FROM publication p WHERE p.tenant_id = r.tenant_id AND p.pub_file = r.file_id AND p.pub_state = ANY(${states}::text[]))`;
  if (!states.includes(NONE)) return released;
  return sql`(NOT EXISTS (SELECT FROM publication p WHERE p.tenant_id = r.tenant_id AND p.pub_file = r.file_id) OR ${released})`;
}

/** Along the index of states; files without a publication are most of them. */
function candidatesOf(leaf: SearchLeaf, most: number): Sql | null {
  const states = statesOf(leaf);
  if (states.includes(NONE)) return null;
  return sql`SELECT p.pub_file FROM publication p WHERE p.tenant_id = ${requireScope().tenant_id}::uuid AND p.pub_state = ANY(${states}::text[]) LIMIT ${most}`;
}

const statesOf = ({ value }: SearchLeaf): string[] => [value ?? []].flat().map(String);
