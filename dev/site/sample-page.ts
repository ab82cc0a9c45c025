import { basename, extname } from 'node:path/posix';

const LANGUAGES: Readonly<Record<string, string>> = {
  '.cs': 'csharp',
  '.go': 'go',
  '.java': 'java',
  '.mjs': 'js',
  '.php': 'php',
  '.py': 'python',
  '.rb': 'ruby',
  '.ru': 'ruby',
  '.ts': 'ts',
  '.yaml': 'yaml',
};

/** Whether a file is a sample, which readers of docs/ copy, so that it is shown as a separate page. */
export function isSample(file: string): boolean {
  return file.startsWith('docs/') && extname(file) in LANGUAGES;
}

/** The page that shows a sample. */
export function samplePage(file: string, content: string): string {
  return `# ${basename(file)}\n\nThe file \`${file}\`.\n\n~~~~${LANGUAGES[extname(file)]}\n${content.trimEnd()}\n~~~~\n`;
}
