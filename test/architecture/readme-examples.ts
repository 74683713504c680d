import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const ROOT = join(__dirname, '../..');
const CODE = /(?<!\.spec)\.ts$/;

/** A call that a page names: `receiver.method(`, or `method(` without a receiver. */
export interface NamedCall {
  readonly receiver: string | null;
  readonly method: string;
}

/** What the source files of some folders declare. */
class Declarations {
  /** Members of classes and of interfaces, by the names of these, with the names of what they extend. */
  private readonly types = new Map<string, { readonly members: Set<string>; readonly parents: Set<string> }>();
  /** The types of parameters, fields and variables that state one or are made of a class, by their names. */
  private readonly typed = new Map<string, Set<string>>();
  private readonly functions = new Set<string>();
  private readonly methods = new Set<string>();

  add(source: ts.SourceFile): void {
    const visit = (node: ts.Node): void => {
      if (ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node)) this.addType(node);
      if (ts.isFunctionDeclaration(node) && node.name) this.functions.add(node.name.text);
      if ((ts.isParameter(node) || ts.isPropertyDeclaration(node) || ts.isVariableDeclaration(node)) && ts.isIdentifier(node.name)) {
        if (ts.isVariableDeclaration(node)) this.functions.add(node.name.text);
        const type = typeOf(node);
        if (type !== undefined) setOf(this.typed, node.name.text).add(type);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }

  hasFunction(name: string): boolean {
    return this.functions.has(name) || this.methods.has(name);
  }

  hasMethod(name: string): boolean {
    return this.methods.has(name);
  }

  hasType(name: string): boolean {
    return this.types.has(name);
  }

  /** The types of what is called so. */
  typesOf(name: string): readonly string[] {
    return [...(this.typed.get(name) ?? [])];
  }

  hasMember(type: string, member: string): boolean {
    const found = this.types.get(type);
    return found !== undefined && (found.members.has(member) || [...found.parents].some((parent) => this.hasMember(parent, member)));
  }

  private addType(node: ts.ClassDeclaration | ts.InterfaceDeclaration): void {
    if (!node.name) return;
    const type = this.types.get(node.name.text) ?? { members: new Set<string>(), parents: new Set<string>() };
    this.types.set(node.name.text, type);
    for (const { types } of node.heritageClauses ?? []) types.forEach(({ expression }) => type.parents.add(expression.getText()));
    for (const { name } of node.members) {
      if (!name || !ts.isIdentifier(name)) continue;
      type.members.add(name.text);
      this.methods.add(name.text);
    }
  }
}

const parsed = (file: string, code: string): ts.SourceFile => ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);

function typeOf({ type, initializer }: ts.ParameterDeclaration | ts.PropertyDeclaration | ts.VariableDeclaration): string | undefined {
  if (type) return ts.isTypeReferenceNode(type) ? type.typeName.getText() : undefined;
  return initializer && ts.isNewExpression(initializer) ? initializer.expression.getText() : undefined;
}

/** What all files of libs declare, specs left out, and what those of each room do. */
export function readDeclarations(): { readonly all: Declarations; readonly rooms: ReadonlyMap<string, Declarations> } {
  const all = new Declarations();
  const rooms = new Map<string, Declarations>();
  const files = readdirSync(join(ROOT, 'libs'), { recursive: true, encoding: 'utf8' }).filter((path) => CODE.test(path));
  for (const file of files.map((path) => `libs/${path}`)) {
    const source = parsed(file, readFileSync(join(ROOT, file), 'utf8'));
    const room = rooms.get(roomOf(file)) ?? new Declarations();
    rooms.set(roomOf(file), room);
    for (const declarations of [all, room]) declarations.add(source);
  }
  return { all, rooms };
}

/** The room or context that a file below `libs` belongs to. */
export const roomOf = (file: string): string =>
  file
    .split('/')
    .slice(0, file.startsWith('libs/platform/') ? 3 : 2)
    .join('/');

/** What the examples of a page declare themselves. */
export function declaredBy(page: string): Declarations {
  const declarations = new Declarations();
  for (const code of examplesOf(page)) declarations.add(parsed('example.ts', code));
  return declarations;
}

const examplesOf = (page: string): string[] => [...page.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code]) => code!);

const CALL = /(?<![\w.@]|new )(?:this\.)?(?:(\w+)\??\.)?(\w+)(?:<[\w, ]+>)?\(/g;

/** The calls in the examples of a page, their comments included, and those with a receiver in its sentences. */
export function callsIn(page: string): NamedCall[] {
  const sentences = [...page.replace(/^```[^]*?^```$/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!);
  return [
    ...examplesOf(page).flatMap((code) => callsOf(code)),
    ...sentences.flatMap((code) => callsOf(code).filter(({ receiver }) => receiver !== null)),
  ];
}

const callsOf = (code: string): NamedCall[] =>
  [...code.replace(/'[^'\n]*'/g, "''").matchAll(CALL)].map(([, receiver, method]) => ({ receiver: receiver ?? null, method: method! }));

function setOf(sets: Map<string, Set<string>>, key: string): Set<string> {
  const found = sets.get(key) ?? new Set();
  sets.set(key, found);
  return found;
}
