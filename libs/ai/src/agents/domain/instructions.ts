import { invalidFields } from '@atrium/platform/kernel';

/** What instructions may leave open; it is filled in for each run. */
export const VARIABLES = ['date', 'user_name', 'workspace_name', 'space_name'] as const;
export type InstructionVariable = (typeof VARIABLES)[number];

const OPEN = /(\\)?\{\{([^{}]*)\}\}/g;

/** Refuses instructions that leave open what nothing fills in. */
export function checkedInstructions(field: string, text: string): string {
  const unknown = [...text.matchAll(OPEN)].flatMap(([, escaped, name = '']) => (escaped || isVariable(name.trim()) ? [] : [name.trim()]));
  if (unknown.length === 0) return text;
  const known = VARIABLES.map((name) => `{{${name}}}`).join(', ');
  throw invalidFields(
    [...new Set(unknown)].slice(0, 20).map((name) => ({
      path: field,
      code: 'variable',
      message: `{{${name.slice(0, 60)}}} is unknown; there are ${known}. Write \\{{ for braces that stay as they are`,
    })),
  );
}

/** The instructions of one run; what has no value there is left out. Values are never filled in again. */
export const filledInstructions = (text: string, values: Readonly<Partial<Record<InstructionVariable, string | null>>>): string =>
  text.replace(OPEN, (found: string, escaped: string | undefined, name: string) => {
    if (escaped) return found.slice(1);
    const variable = name.trim();
    return isVariable(variable) ? (values[variable] ?? '') : found;
  });

const isVariable = (name: string): name is InstructionVariable => VARIABLES.some((variable) => variable === name);
