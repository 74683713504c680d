import { Injectable } from '@nestjs/common';
import {
  choiceValue,
  comparableOperands,
  EXISTS,
  FLAG,
  instantCondition,
  listOf,
  numberCondition,
  numericOperands,
  SearchFields,
  TEMPORAL,
  TEXT,
  unknownOperator,
  type SearchContext,
  type SearchField,
  type SearchLeaf,
  type SearchOperand,
  type SearchScope,
  type SearchValue,
} from '@atrium/files';
import { join, literalPattern, sql, type Sql } from '@atrium/platform/database';
import type { JsonValue } from '@atrium/platform/kernel';
import type { AnalysisField, FieldType } from '../domain/analysis-field';
import { AnalysisSchemasRepository } from '../infrastructure/analysis-schemas.repository';

const PREFIX = 'analysis.';
const SCOPES: readonly SearchScope[] = ['media'];
const NUMBERS: readonly FieldType[] = ['number', 'integer'];
const EXAMPLES: Readonly<Record<string, JsonValue>> = {
  eq: 'calm',
  ne: 'calm',
  in: ['calm', 'wild'],
  not_in: ['calm'],
  contains: 'cal',
  not_contains: 'cal',
  exists: true,
  lt: 10,
  lte: 10,
  gt: 3,
  gte: 3,
  between: [3, 10],
  has_any: ['red', 'blue'],
  has_all: ['red'],
  has_none: ['green'],
  before: { today: true },
  after: '2024-05-01T00:00:00Z',
  within: 'P30D',
};

/** Leaves over what analyses found: `analysis.<schema>.<field>`, of the type that the schema gives the field. */
@Injectable()
export class AnalysisSearchField {
  constructor(
    private readonly schemas: AnalysisSchemasRepository,
    fields: SearchFields,
  ) {
    fields.registerFamily({
      name: `${PREFIX}<schema>.<field>`,
      prefix: PREFIX,
      scopes: SCOPES,
      examples: EXAMPLES,
      fieldOf: (rest) => this.fieldOf(rest),
    });
  }

  private async fieldOf(rest: string): Promise<SearchField | null> {
    const [schema = '', name = '', ...more] = rest.split('.');
    if (more.length > 0) return null;
    const found = await this.schemas.findByName(schema);
    const field = found?.mas_fields.find((one) => one.name === name);
    return found && field ? leafOf(`${PREFIX}${rest}`, found.mas_id, field) : null;
  }
}

function leafOf(name: string, schema: string, field: AnalysisField): SearchField {
  const operators = { ...operatorsOf(field), exists: EXISTS };
  return {
    name,
    scopes: SCOPES,
    type: field.type,
    operators,
    examples: Object.fromEntries(Object.keys(operators).map((op) => [op, exampleOf(field, op)])),
    compileLeaf: (leaf, context) =>
      sql`EXISTS (SELECT FROM file_analysis a WHERE a.tenant_id = r.tenant_id AND a.fa_file = r.file_id AND a.fa_schema = ${schema}::uuid AND a.fa_live AND (${conditionOf(field, leaf, context)}))`,
    candidateQuery: (leaf, _, most) => candidatesOf(schema, field, leaf, most),
  };
}

function operatorsOf({ type, values }: AnalysisField): Readonly<Record<string, SearchOperand>> {
  const word: SearchValue = type === 'enum' || type === 'enum[]' ? choiceValue(values ?? []) : TEXT;
  if (NUMBERS.includes(type)) return numericOperands();
  if (type === 'boolean') return { eq: { value: FLAG }, ne: { value: FLAG } };
  if (type === 'date') return TEMPORAL;
  if (type === 'enum') return comparableOperands(word);
  if (type === 'string' || type === 'text')
    return { ...comparableOperands(word), contains: { value: TEXT }, not_contains: { value: TEXT } };
  return { has_any: { value: listOf(word) }, has_all: { value: listOf(word) }, has_none: { value: listOf(word) } };
}

function exampleOf({ type, values }: AnalysisField, op: string): JsonValue {
  const [one = 'calm'] = values ?? [];
  if (op === 'exists') return true;
  if (NUMBERS.includes(type)) return op === 'between' ? [3, 10] : 3;
  if (type === 'boolean') return true;
  if (type === 'date') return op === 'between' ? ['2024-05-01', '2024-06-01'] : (EXAMPLES[op] ?? null);
  return op === 'in' || op === 'not_in' || op.startsWith('has_') ? [one] : one;
}

function conditionOf({ name, type }: AnalysisField, leaf: SearchLeaf, context: SearchContext): Sql {
  const at = sql`(a.fa_result -> ${name}::text)`;
  const text = sql`(a.fa_result ->> ${name}::text)`;
  if (leaf.op === 'exists') return sql`a.fa_result ? ${name}::text`;
  if (NUMBERS.includes(type)) return sql`jsonb_typeof(${at}) = 'number' AND ${numberCondition(sql`file_number(${at})`, leaf)}`;
  if (type === 'date') return instantCondition(sql`file_instant(${text})`, leaf, context);
  const given = wordsOf(leaf);
  switch (leaf.op) {
    case 'eq':
    case 'in':
      return sql`${at} IN (${join(given.map((value) => sql`${JSON.stringify(value)}::jsonb`))})`;
    case 'contains':
      return sql`dotless(lower(${text})) LIKE dotless(lower(${`%${literalPattern(typeof leaf.value === 'string' ? leaf.value : '')}%`}::text))`;
    case 'has_any':
      return sql`${at} ?| ${given.map(String)}::text[]`;
    case 'has_all':
      return sql`${at} ?& ${given.map(String)}::text[]`;
    default:
      throw unknownOperator(leaf.field, leaf.op);
  }
}

/** Equality and containment are answered by the index over results. */
function candidatesOf(schema: string, { name, type }: AnalysisField, leaf: SearchLeaf, most: number): Sql | null {
  const found = (value: JsonValue): Sql =>
    sql`SELECT files_analysed_as(${schema}, ${JSON.stringify({ [name]: value })}::jsonb) LIMIT ${most}`;
  if (leaf.op === 'eq' && !NUMBERS.includes(type)) return found(leaf.value ?? null);
  if (leaf.op === 'has_all') return found(wordsOf(leaf));
  if (leaf.op === 'in')
    return join(
      wordsOf(leaf).map((value) => sql`(${found(value)})`),
      ' UNION ALL ',
    );
  if (leaf.op === 'has_any')
    return join(
      wordsOf(leaf).map((value) => sql`(${found([value])})`),
      ' UNION ALL ',
    );
  return null;
}

const wordsOf = ({ value }: SearchLeaf): readonly JsonValue[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]) : value === undefined ? [] : [value];
