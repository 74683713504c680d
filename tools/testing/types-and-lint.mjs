// node tools/testing/types-and-lint.mjs types lint [paths to lint]: both over one program, for what the compiler has found out
// about an expression no rule needs to work out again. `eslint .` and `tsc` say the same one after the other.
import { ESLint } from 'eslint';
import { join } from 'node:path';
import ts from 'typescript';
import { projectRoot } from '../project.mjs';

/** What the compiler found out: where it is asked again, in a copy with a link to the packages too, it reads what is new and what knows of it. */
const KNOWN_TYPES = join(projectRoot, 'dist/.tsbuildinfo-tests');

const CHECKS = ['types', 'lint'];
const wanted = process.argv.slice(2).filter((arg) => CHECKS.includes(arg));
const paths = process.argv.slice(2).filter((arg) => !CHECKS.includes(arg));
const compiler = compilerFor(join(projectRoot, 'tsconfig.json'));
if (wanted.includes('types')) complain(typeErrors());
if (wanted.includes('lint')) complain(await violations());

function compilerFor(configFile) {
  const onUnRecoverableConfigFileDiagnostic = ({ messageText }) => {
    throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
  };
  const config = ts.getParsedCommandLineOfConfigFile(
    configFile,
    { noEmit: true, tsBuildInfoFile: KNOWN_TYPES, preserveSymlinks: true },
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic },
  );
  return ts.createIncrementalProgram({
    rootNames: config.fileNames,
    options: config.options,
    configFileParsingDiagnostics: ts.getConfigFileParsingDiagnostics(config),
  });
}

function typeErrors() {
  const found = [...ts.getPreEmitDiagnostics(compiler), ...compiler.emit().diagnostics];
  const host = { getCurrentDirectory: () => projectRoot, getCanonicalFileName: (name) => name, getNewLine: () => '\n' };
  return ts.formatDiagnostics(ts.sortAndDeduplicateDiagnostics(found), host);
}

async function violations() {
  const program = compiler.getProgram();
  program.getTypeChecker(); // binds all files: the parser of the rules wants to know the parent of each node
  const languageOptions = { parserOptions: { projectService: false, programs: [program] } };
  const eslint = new ESLint({ cwd: projectRoot, overrideConfig: { files: ['**/*.ts'], languageOptions } });
  const results = await eslint.lintFiles(paths.length > 0 ? paths : ['.']);
  return (await eslint.loadFormatter('stylish')).format(ESLint.getErrorResults(results));
}

function complain(text) {
  if (text === '') return;
  console.error(text.trim());
  process.exitCode = 1;
}
