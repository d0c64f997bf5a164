import { relative, sep } from 'node:path';
import { gatewayAddress } from './gateway-address.ts';
import type { Problem } from './problems.ts';
import type { Settings } from './table.ts';

/** What the rules need to know of the machine. Paths are absolute. */
export interface RuleFacts {
  readonly dataDir: string;
  /** The path with every symbolic link followed, as far as it exists. */
  readonly realPath: (path: string) => string;
}

/** What no setting breaks by itself (design pages 2 and 3). */
export function brokenRules(settings: Settings, facts: RuleFacts): readonly Problem[] {
  const problems: Problem[] = [];
  const refuse = (message: string, fix: string) => problems.push({ where: '', message, fix });

  if (settings['agent.access'] === 'workspace' && settings['agent.workdir'] === null)
    refuse(
      'agent.access = "workspace" needs agent.workdir',
      'Set agent.workdir to the workspace, then agent.access.',
    );
  if (settings['agent.access'] === 'inherit') {
    const missing = [
      ...(settings['agent.allow'] === null ? ['agent.allow (the authors who may wake the agent)'] : []),
      ...(settings['agent.review'] ? [] : ['agent.review = true']),
    ];
    if (missing.length > 0)
      refuse(
        `agent.access = "inherit" needs ${missing.join(' and ')}`,
        'Set them first: at "inherit" nothing else holds a run back.',
      );
  }
  if (settings['agent.runtime'] === 'command' && settings['agent.command'] === null)
    refuse(
      'agent.runtime = "command" needs agent.command',
      'Set agent.command to the program and its arguments.',
    );
  if (settings.infra === 'default' && settings.seeds.length === 0 && !settings['relay.serve'])
    refuse(
      'infra = "default" needs seeds: there are no public ones',
      'List your own in seeds, or set infra = "none"; on the first seed itself set relay.serve = true.',
    );
  if (settings.infra === 'default' && settings['relay.serve'] && settings.listen?.length === 0)
    refuse(
      'relay.serve = true needs an address to listen on, and listen is empty',
      'Set listen to an address that the other nodes can reach, such as "/ip4/0.0.0.0/tcp/4001".',
    );

  const gateway = gatewayAddress(settings['agent.openclaw_url'], settings['agent.openclaw_insecure_ok']);
  if (!gateway.ok)
    refuse(
      `agent.openclaw_url = ${JSON.stringify(settings['agent.openclaw_url'])}: ${gateway.why}`,
      gateway.fix,
    );

  const workdir = settings['agent.workdir'];
  if (workdir !== null) {
    const work = facts.realPath(workdir);
    const data = facts.realPath(facts.dataDir);
    if (contains(work, data))
      refuse(
        `agent.workdir = ${JSON.stringify(workdir)} is or contains the data directory`,
        `Choose a folder apart from ${facts.dataDir}: an agent that works there could change what holds it back.`,
      );
  }
  return problems;
}

function contains(outer: string, inner: string): boolean {
  const way = relative(outer, inner);
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`));
}
