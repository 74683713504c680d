import { join } from 'node:path';
import { partsOf, readSteps, type StepPart } from './migration-steps';

/** The last step that was written before these rules. */
const BEFORE = '0104';

/** What does not keep a rule and may, by the name of the step. */
const EXCEPTIONS: Readonly<Record<string, { readonly what: string; readonly because: string }>> = {
  '0116-closed-fields.sql': {
    what: 'changes form_migration, outbox',
    because: 'both are written to by inserts, and lock no table against others',
  },
  '0140-folded-names.sql': {
    what: 'runs a text as a statement, and what that changes is not seen',
    because: 'the text creates a function, whose body is put together from a list of letters',
  },
  '0147-folded-inline.sql': {
    what: 'runs a text as a statement, and what that changes is not seen',
    because: 'the text resets a setting of indexes, which writes no row and lets others read and write',
  },
};

const BODY = /AS \$(\w*)\$[\s\S]*?\$\1\$/g;
const SQL_BODY = /BEGIN ATOMIC[\s\S]*?\n {2}END|\n {2}RETURN [\s\S]*?;/g;
const COMMENT = /--.*$/gm;
/** Statements that lock a table, change its rows or read all of it for a change. */
const CHANGES = [
  /\bALTER TABLE (?:IF EXISTS )?(?:ONLY )?(\w+)/gi,
  /\b(?:DROP TABLE|TRUNCATE(?: TABLE)?|LOCK TABLE) (?:IF EXISTS )?(\w+)/gi,
  /\bCREATE (?:UNIQUE )?INDEX (?:CONCURRENTLY )?(?:IF NOT EXISTS )?\w+ ON (\w+)/gi,
  /\bCREATE (?:OR REPLACE )?(?:CONSTRAINT )?TRIGGER \w+[^;]*? ON (\w+)/gi,
  /\bDROP (?:TRIGGER|POLICY|RULE) (?:IF EXISTS )?\w+ ON (\w+)/gi,
  /\bCREATE POLICY \w+ ON (\w+)/gi,
  /\bINSERT INTO (\w+)/gi,
  /(?<!FOR )(?<!DO )\bUPDATE (\w+)(?: (?:AS )?\w+)? SET\b/gi,
  /\bDELETE FROM (\w+)/gi,
  /\bMERGE INTO (\w+)/gi,
  /\bCALL make_(?:tenant_table|searchable)\('(\w+)'\)/gi,
  /\b(?:REINDEX(?: \([^)]*\))? (?:TABLE|INDEX)|CLUSTER|VACUUM (?:FULL|\([^)]*\bFULL\b[^)]*\))) (\w+)/gi,
];
const ROWS = /\b(?:UPDATE \w+(?: (?:AS )?\w+)? SET|DELETE FROM|MERGE INTO|INSERT INTO \w+[^;]*?\bSELECT)\b/i;
/** What reads or writes every row of a table while nobody may use it. */
const WHOLE_TABLE: readonly (readonly [RegExp, string])[] = [
  [/\bALTER (?:COLUMN )?\w+ (?:SET DATA )?TYPE\b/i, 'writes the whole table for a new type'],
  [/\bALTER (?:COLUMN )?\w+ SET NOT NULL\b/i, 'reads the whole table for NOT NULL'],
  [/\bADD (?:COLUMN )?(?!CONSTRAINT)[^,;]*\bGENERATED ALWAYS AS \(/i, 'writes the whole table for a computed column'],
  [/\bADD (?:COLUMN )?(?!CONSTRAINT)[^,;]*\bDEFAULT (?!now\(|current_)\w+\(/i, 'writes the whole table for a default'],
  [/\bADD (?:COLUMN )?(?!CONSTRAINT)[^,;]*(?:\b(?:small|big)?serial\b|\bAS IDENTITY\b)/i, 'writes the whole table for a numbered column'],
  [/\bADD (?:CONSTRAINT \w+ )?(?:PRIMARY KEY|UNIQUE) \(/i, 'builds an index while nobody may write'],
  [/\b(?:REINDEX|CLUSTER|VACUUM)\b/i, 'writes the whole table or index again'],
  [/\bADD (?:CONSTRAINT \w+ )?(?:CHECK|FOREIGN KEY) \((?![^;]*\bNOT VALID\b)/i, 'reads the whole table for a constraint'],
  [
    /\bADD (?:COLUMN )?(?:IF NOT EXISTS )?(?!CONSTRAINT\b|CHECK\b)\w+ [^,;]*\bCHECK \(/i,
    'reads the whole table for the constraint of a column',
  ],
];

/** What a statement calls to be run, whose own statements are not seen here. */
const CALLED = /(?:^|\b(?:BEGIN|THEN|ELSE|LOOP|DO \$\w*\$) )\s*(?:SELECT(?: \* FROM)?|CALL)\s+(\w+)\(|\bPERFORM (\w+)\(/gi;
const SEEN_CALLS = /^(?:make_(?:tenant_table|searchable|definer)|pg_\w+|set_config|setval)$/i;

/**
 * Without what is not run: comments, and bodies of functions. What a `DO` does is done at once. Names are bare and spaces single, as
 * the patterns have them.
 */
const run = (text: string): string =>
  text
    .replace(COMMENT, '')
    .replace(BODY, 'AS body')
    .replace(SQL_BODY, ' body;')
    .replace(/"/g, '')
    .replace(/\b(?:public\.|ONLY )/gi, '')
    .replace(/\s+/g, ' ');

const tablesIn = (text: string): string[] => CHANGES.flatMap((pattern) => [...text.matchAll(pattern)].map(([, table]) => table!));

/** What keeps requests or memory longer than a batch does, in the words of the rule. */
function faultsOf(parts: readonly StepPart[]): string[] {
  const whole = run(parts.map(({ text }) => text).join('\n'));
  const made = [...whole.matchAll(/\bCREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(\w+)/gi)].map(([, table]) => table!);
  return parts.flatMap(({ kind, text }) => {
    const done = run(text);
    // A table that is renamed is one table under two names.
    const renamed = new Map([...done.matchAll(/\bALTER TABLE (\w+) RENAME TO (\w+)/gi)].map(([, was, is]) => [is!, was!]));
    const old = [...new Set(tablesIn(done).map((table) => renamed.get(table) ?? table))].filter((table) => !made.includes(table)).sort();
    const faults: string[] = [];
    if (old.length > 1) faults.push(`changes ${old.join(', ')}`);
    for (const [, table] of done.matchAll(/\bCREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)(?:IF NOT EXISTS )?\w+ ON (\w+)/gi))
      if (!made.includes(table!)) faults.push(`builds an index of ${table} while nobody may write to it`);
    if (old.length > 0 && /\bVALIDATE CONSTRAINT\b/i.test(done) && done.split(';').filter((each) => tablesIn(each).length > 0).length > 1)
      faults.push('reads a whole table for a constraint while another statement locks it');
    for (const statement of done.split(';')) {
      for (const [, selected, performed] of statement.trim().matchAll(CALLED)) {
        const called = (selected ?? performed)!;
        if (!SEEN_CALLS.test(called)) faults.push(`calls ${called}, and what that changes is not seen`);
      }
      if (/\bEXECUTE (?!FUNCTION\b|PROCEDURE\b|ON\b)/i.test(statement) && !/\bGRANT\b|\bREVOKE\b/i.test(statement))
        faults.push('runs a text as a statement, and what that changes is not seen');
      const [table] = tablesIn(statement).filter((one) => !made.includes(one));
      if (!table) continue;
      for (const [pattern, fault] of WHOLE_TABLE) if (pattern.test(statement)) faults.push(`${table}: ${fault}`);
      if (!ROWS.test(statement)) continue;
      if (kind !== 'in batches') faults.push(`changes rows of ${table} outside of batches`);
      // The bound is that of the rows that are changed: it is decided before they are.
      else if (!/\bLIMIT \d+\b[^]*?\b(?:UPDATE|DELETE FROM|MERGE INTO|INSERT INTO)\b|\bINSERT INTO \w+[^;]*?\bLIMIT \d+/i.test(statement))
        faults.push(`changes rows of ${table} without a bound`);
    }
    if (kind === 'in batches' && done.replace(/;\s*$/, '').includes(';')) faults.push('has several statements in a batch');
    return faults;
  });
}

const faults = (text: string): string[] => faultsOf(partsOf({ name: '9999-test.sql', text }));

describe('the steps of the schema', () => {
  it('change one table a transaction, rows in bounded batches and indexes while others write', () => {
    const steps = readSteps(join(__dirname, '../../../../migrations')).filter(({ name }) => name.slice(0, 4) > BEFORE);
    expect(steps.length).toBeGreaterThan(0);
    const found = steps.flatMap((step) => faultsOf(partsOf(step)).map((what) => ({ name: step.name, what })));
    expect(found.filter(({ name, what }) => EXCEPTIONS[name]?.what !== what)).toEqual([]);
    expect(Object.keys(EXCEPTIONS).filter((name) => !found.some((fault) => fault.name === name))).toEqual([]);
  });

  it.each([
    ['UPDATE run SET run_tainted = NULL;', 'changes rows of run outside of batches'],
    ['DO $$ BEGIN\n DELETE FROM run;\nEND $$;', 'changes rows of run outside of batches'],
    ['INSERT INTO outbox (ev_id) SELECT run_id FROM run;', 'changes rows of outbox outside of batches'],
    ['-- part: in batches\nWITH a AS (UPDATE run r SET run_tainted = NULL) SELECT NULL AS cursor', 'changes rows of run without a bound'],
    ['-- part: in batches\nSELECT 1; SELECT 2 LIMIT 1', 'has several statements in a batch'],
    ['CREATE INDEX run_x ON run (tenant_id);', 'builds an index of run while nobody may write to it'],
    ['ALTER TABLE run ADD COLUMN a text;\nALTER TABLE message ADD COLUMN a text;', 'changes message, run'],
    ['ALTER TABLE run RENAME TO ride;\nALTER TABLE message ADD COLUMN a text;', 'changes message, run'],
    ['ALTER TABLE run ALTER COLUMN a TYPE bigint;', 'run: writes the whole table for a new type'],
    ['ALTER TABLE run ALTER COLUMN a SET NOT NULL;', 'run: reads the whole table for NOT NULL'],
    ['ALTER TABLE run ADD COLUMN a text GENERATED ALWAYS AS (b) STORED;', 'run: writes the whole table for a computed column'],
    ['ALTER TABLE run ADD COLUMN a uuid DEFAULT gen_random_uuid();', 'run: writes the whole table for a default'],
    ['ALTER TABLE run ADD CONSTRAINT a UNIQUE (b);', 'run: builds an index while nobody may write'],
    ["ALTER TABLE run ADD CONSTRAINT a CHECK (b <> '');", 'run: reads the whole table for a constraint'],
    ["ALTER TABLE run ADD COLUMN a text CHECK (a <> '');", 'run: reads the whole table for the constraint of a column'],
    ['UPDATE run\nSET run_tainted = NULL;', 'changes rows of run outside of batches'],
    ['UPDATE public.run SET run_tainted = NULL;', 'changes rows of run outside of batches'],
    ['UPDATE "run" SET run_tainted = NULL;', 'changes rows of run outside of batches'],
    ['DO $$ BEGIN\n UPDATE\n  ONLY public."run"\n  SET run_tainted = NULL;\nEND $$;', 'changes rows of run outside of batches'],
    ['ALTER TABLE public.run ADD COLUMN a text;\nALTER TABLE public.message ADD COLUMN a text;', 'changes message, run'],
    ['REINDEX TABLE run;', 'run: writes the whole table or index again'],
    ['CLUSTER run USING run_x;', 'run: writes the whole table or index again'],
    ['VACUUM (FULL) run;', 'run: writes the whole table or index again'],
    [
      'ALTER TABLE run ADD CONSTRAINT a CHECK (b) NOT VALID;\nALTER TABLE run VALIDATE CONSTRAINT a;',
      'reads a whole table for a constraint while another statement locks it',
    ],
    ['ALTER TABLE run ADD COLUMN n bigserial;', 'run: writes the whole table for a numbered column'],
    ['ALTER TABLE run ADD COLUMN n bigint GENERATED BY DEFAULT AS IDENTITY;', 'run: writes the whole table for a numbered column'],
    ['ALTER TABLE run ADD COLUMN a uuid DEFAULT time_ordered_id();', 'run: writes the whole table for a default'],
    ['DROP TRIGGER a ON run;\nDROP TRIGGER b ON message;', 'changes message, run'],
    ['CREATE OR REPLACE TRIGGER a AFTER INSERT ON run EXECUTE FUNCTION x();\nDROP TRIGGER b ON message;', 'changes message, run'],
    [
      '-- part: in batches\nWITH a AS (UPDATE run SET x = 1 RETURNING run_id) SELECT max(run_id)::text AS cursor FROM a LIMIT 1',
      'changes rows of run without a bound',
    ],
    [
      "DO $$ BEGIN\n  EXECUTE format('UPDATE %I SET a = 1', 'run');\nEND $$;",
      'runs a text as a statement, and what that changes is not seen',
    ],
    ['SELECT fill_all_rows();', 'calls fill_all_rows, and what that changes is not seen'],
    ['DO $$ BEGIN\n  PERFORM public.fill_all_rows();\nEND $$;', 'calls fill_all_rows, and what that changes is not seen'],
    ['DO $$ BEGIN\n  CALL fill_all_rows(1);\nEND $$;', 'calls fill_all_rows, and what that changes is not seen'],
  ])('are refused where requests would wait: %s', (text, fault) => {
    expect(faults(text)).toEqual([fault]);
  });

  it.each([
    'ALTER TABLE run ADD COLUMN a text, ADD COLUMN b integer NOT NULL DEFAULT 0;\n-- part\nALTER TABLE message ADD COLUMN a text;',
    'CREATE TABLE shelf (a text);\nCREATE INDEX shelf_a ON shelf (a);\nINSERT INTO shelf (a) SELECT run_id FROM run;',
    'CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ UPDATE run SET run_tainted = NULL $$;',
    '-- part: concurrently\nCREATE INDEX CONCURRENTLY IF NOT EXISTS run_x ON run (tenant_id);',
    'ALTER TABLE run ADD COLUMN a text, ADD CONSTRAINT a_check CHECK (a) NOT VALID;\n-- part\nALTER TABLE run VALIDATE CONSTRAINT a_check;',
    'ALTER TABLE run ADD CONSTRAINT a CHECK (b) NOT VALID;\n-- part\nALTER TABLE run VALIDATE CONSTRAINT a;',
    'ALTER TABLE run RENAME TO ride;\nALTER TABLE ride RENAME COLUMN a TO b;\nCREATE VIEW run AS SELECT b AS a FROM ride;',
    '-- UPDATE run SET a = 1;\nALTER TABLE run ADD CONSTRAINT a CHECK (b) NOT VALID;',
  ])('are taken where nobody waits: %s', (text) => {
    expect(faults(text)).toEqual([]);
  });
});

describe('the parts of a step', () => {
  const part = (text: string): StepPart[] => partsOf({ name: '0001-a.sql', text });

  it('are one transaction unless the step is divided', () => {
    expect(part('-- A table.\nCREATE TABLE a ();\n')).toEqual([{ kind: 'transaction', text: '-- A table.\nCREATE TABLE a ();' }]);
  });

  it('begin at their lines, and one that says nothing is left out', () => {
    expect(
      part(
        '-- Why.\n-- part: in batches\nSELECT 1\n-- part\nSELECT 2\n-- part: concurrently\nCREATE INDEX CONCURRENTLY IF NOT EXISTS i ON a (b);',
      ),
    ).toEqual([
      { kind: 'in batches', text: 'SELECT 1' },
      { kind: 'transaction', text: 'SELECT 2' },
      { kind: 'concurrently', text: 'CREATE INDEX CONCURRENTLY IF NOT EXISTS i ON a (b);', index: 'i' },
    ]);
  });

  it('are of a known kind, and one that runs concurrently builds one index', () => {
    expect(() => part('-- part: at night\nSELECT 1')).toThrow('Migration 0001-a.sql has a part of an unknown kind: at night');
    expect(() => part('-- part: concurrently\nCREATE INDEX i ON a (b);')).toThrow('is one CREATE INDEX CONCURRENTLY IF NOT EXISTS');
  });
});
