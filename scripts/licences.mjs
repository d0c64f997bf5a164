// The licences of what was bundled, one after the other: packages that share the very same text share its place.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @param inputs paths of bundled files, relative to the root of the project */
export function licencesOf(inputs, root) {
  const packages = new Map();
  for (const input of inputs) {
    const at = input.lastIndexOf('node_modules/');
    if (at < 0) continue;
    const [scope, name] = input.slice(at + 'node_modules/'.length).split('/');
    const folder = join(
      root,
      input.slice(0, at),
      'node_modules',
      scope.startsWith('@') ? join(scope, name) : scope,
    );
    if (!packages.has(folder)) packages.set(folder, describe(folder));
  }
  const texts = new Map();
  for (const { title, text } of packages.values()) texts.set(text, [...(texts.get(text) ?? []), title]);
  const parts = [...texts].map(([text, titles]) => `${[...new Set(titles)].sort().join('\n')}\n\n${text}`);
  return `wats bundles these packages.\n\n${parts.sort().join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

function describe(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const text = files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n');
  const spdx = typeof license === 'string' ? license : 'see its repository';
  return { title: `${name} ${version} (${spdx})`, text: text || `Licensed under ${spdx}.` };
}
