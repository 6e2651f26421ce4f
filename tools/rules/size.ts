import ts from 'typescript';
import { type Finding, isGenerated, isTestCode, type Tree } from './tree.ts';

const CODE = /^(src|tools|test|bench|bin)\/.*\.(ts|tsx|mjs|cjs|js)$/;
const FILE_WARNING = 250;
const FILE_LIMIT = 500;
const FUNCTION_LIMIT = 80;

/** Long files and long functions: the tail where newcomers get lost. */
export function size(tree: Tree): readonly Finding[] {
  return tree.files
    .filter((file) => CODE.test(file) && !isGenerated(file))
    .flatMap((file) => {
      const text = tree.read(file);
      return [...fileLength(file, text), ...(isTestCode(file) ? [] : functionLengths(file, text))];
    });
}

function fileLength(file: string, text: string): readonly Finding[] {
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  if (lines > FILE_LIMIT)
    return [{ file, message: `${lines} lines, more than ${FILE_LIMIT}: split it by topic, one main export per file.` }];
  if (lines > FILE_WARNING)
    return [{ file, warning: true, message: `${lines} lines, more than ${FILE_WARNING}: think about splitting it by topic.` }];
  return [];
}

function functionLengths(file: string, text: string): readonly Finding[] {
  // Counting lines is not worth a parse that the file's own length already answers.
  if (text.split('\n').length <= FUNCTION_LIMIT) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const findings: Finding[] = [];
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const line = lineOf(node.getStart(source));
      const length = lineOf(node.end) - line + 1;
      if (length > FUNCTION_LIMIT)
        findings.push({
          file,
          line,
          message: `${nameOf(node, source)} has ${length} lines, more than ${FUNCTION_LIMIT}: move steps into functions of their own.`,
        });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return findings;
}

function nameOf(node: ts.SignatureDeclaration, source: ts.SourceFile): string {
  if (node.name) return node.name.getText(source);
  if (ts.isConstructorDeclaration(node)) return 'the constructor';
  const { parent } = node;
  return ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) ? parent.name.getText(source) : 'a function';
}
