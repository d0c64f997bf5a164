import { commandLine, type Entry } from '../entry.ts';
import type { OpenclawPlan } from './plan.ts';
import { withoutToken } from './record.ts';

/** The variable that stands for the token where a person pastes the change themselves. */
const VARIABLE = 'WATS_OPENCLAW_HOOKS_TOKEN';

/** The change as a person reads it: the token is left out. */
export function shownPatch(plan: OpenclawPlan): string {
  return JSON.stringify(withoutToken(plan.patch, '(a random token)'), null, 2);
}

/** The same by hand: the block to paste, with the token as a variable, and the commands around it. */
export function manualSteps(
  plan: OpenclawPlan,
  facts: {
    readonly configPath: string;
    readonly tokenFile: string;
    readonly newToken: boolean;
    readonly settings: readonly { readonly key: string; readonly text: string | null }[];
  },
): string {
  const steps: string[] = [];
  if (Object.keys(plan.patch).length > 0) {
    const block = JSON.stringify(withoutToken(plan.patch, `\${${VARIABLE}}`), null, 2);
    steps.push(`Merge this into ${facts.configPath} (lists replace what stands there):\n\n${block}`);
    if (facts.newToken)
      steps.push(
        `Give the gateway the token, in the .env of its state directory, before it reads that. A variable that is not set makes its literal a token that everybody knows:\n\n  (umask 077; printf '${VARIABLE}=%s\\n' "$(cat ${commandLine([facts.tokenFile])})" >> ${commandLine([envFile(facts.configPath)])})`,
      );
  }
  if (plan.mcpSet !== null)
    steps.push(`Register wats for your own agents:\n\n  ${registerLine(plan.mcpSet)}`);
  steps.push('Check it:\n\n  openclaw config validate');
  if (facts.settings.length > 0)
    steps.push(
      `Then, for wats:\n\n${facts.settings.map(({ key, text }) => `  wats config ${text === null ? `unset ${key}` : `set ${key} ${commandLine([text])}`}`).join('\n')}`,
    );
  return steps.map((step, i) => `${i + 1}. ${step}`).join('\n\n');
}

function envFile(configPath: string): string {
  return configPath.replace(/[^/]*$/, '.env');
}

function registerLine({ command, args, env }: Entry): string {
  const value = { command, args, ...(Object.keys(env).length === 0 ? {} : { env }) };
  return commandLine(['openclaw', 'mcp', 'set', 'wats', JSON.stringify(value)]);
}
