import { WatsError } from '../errors/index.ts';
import { nearest, visible } from '../text/index.ts';

/** The variables that HEARTBEAT.md may use. */
export const TEMPLATE_VARIABLES = [
  'agent_profile',
  'user',
  'agent.about',
  'reasons',
  'cursor',
  'events',
] as const;

export type TemplateVariable = (typeof TEMPLATE_VARIABLES)[number];

/** `{{`, a closed pair of braces on one line, or a brace that nothing closes. */
const BRACE = /\{\{|\{([^{}\n]*)\}|\{/g;

/**
 * Fills a template: `{name}` gives way to its value, `{{` to one brace. Values are put in as they are and never
 * looked at again, so that a value holding `{events}` stays what it is.
 *
 * @throws WatsError `setting` for a variable that is unknown or not closed: its line, and the nearest that exists
 */
export function fill(template: string, values: Readonly<Record<TemplateVariable, string>>): string {
  return template.replace(BRACE, (whole, name: string | undefined, at: number) => {
    if (whole === '{{') return '{';
    const known = TEMPLATE_VARIABLES.find((variable) => variable === name);
    if (known === undefined) throw unknownVariable(template, at, name);
    return values[known];
  });
}

/**
 * Checks a HEARTBEAT.md without filling it.
 *
 * @throws WatsError `setting`, as rendering would
 */
export function checkTemplate(template: string): void {
  if (template.trim() === '') throw empty();
  fill(template, { agent_profile: '', user: '', 'agent.about': '', reasons: '', cursor: '', events: '' });
}

function empty(): WatsError {
  return new WatsError('setting', 'HEARTBEAT.md is empty: there is nothing to tell the agent.', {
    fix: 'Write what the agent should do, or delete the file to use the one that wats comes with.',
  });
}

function unknownVariable(template: string, at: number, name: string | undefined): WatsError {
  const line = template.slice(0, at).split('\n').length;
  const all = TEMPLATE_VARIABLES.map((variable) => `{${variable}}`).join(', ');
  if (name === undefined)
    return new WatsError('setting', `HEARTBEAT.md line ${line}: a { opens a variable that no } closes.`, {
      fix: `Write {{ for a plain brace. The variables are ${all}.`,
    });
  const shown = visible(name.length > 40 ? `${name.slice(0, 40)}…` : name, 'line');
  const near = nearest(name.trim(), TEMPLATE_VARIABLES);
  return new WatsError('setting', `HEARTBEAT.md line ${line}: there is no variable {${shown}}.`, {
    fix: `${near === undefined ? '' : `Did you mean {${near}}? `}Write {{ for a plain brace. The variables are ${all}.`,
  });
}
