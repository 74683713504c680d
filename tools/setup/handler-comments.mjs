// What the doc comment of a controller's handler says is what the reference says about the operation.
import { createRequire } from 'node:module';

const ts = createRequire(import.meta.url)('typescript');
const CONTROLLER = /\.controller\.ts$/;

/** The source of a controller with `@ApiOperation` before the first decorator of each commented handler; its lines stay where they are. */
export function withHandlerComments(file, source) {
  if (!CONTROLLER.test(file)) return source;
  const handlers = handlersOf(ts.createSourceFile(file, source, ts.ScriptTarget.ESNext, true));
  const [parts, rest] = handlers.reduce(
    ([done, from], { at, comment }) => [[...done, source.slice(from, at), `@Described({ summary: ${JSON.stringify(comment)} }) `], at],
    [[`import { ApiOperation as Described } from '@nestjs/swagger'; `], 0],
  );
  return [...parts, source.slice(rest)].join('');
}

function handlersOf(file) {
  const methods = file.statements
    .filter((statement) => ts.isClassDeclaration(statement))
    .flatMap(({ members }) => members.filter((member) => ts.isMethodDeclaration(member)));
  return methods.flatMap((method) => {
    const comment = ts.getTextOfJSDocComment(method.jsDoc?.at(-1)?.comment);
    return comment && ts.getDecorators(method) ? [{ at: method.getStart(file), comment }] : [];
  });
}
