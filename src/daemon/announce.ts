import type { Settings } from '../config/index.ts';
import { announceHash, type Publisher } from '../publish/index.ts';
import type { Store } from '../store/index.ts';
import { LIMITS } from '../swarm/index.ts';
import type { Log } from './log.ts';
import { AGENT } from './settings.ts';

/**
 * Posts what the agent is and can do, from its profile, when that was not said yet or has changed (ADR 0011, "Role
 * and announce"): title = the first line, text = `agent.about`, tags = `agent.caps` as `cap:*`. It is the person's own
 * text, so it is not held. An agent without a description is only warned of.
 */
export function announceAgent(
  settings: Settings,
  house: { readonly store: Store; readonly publisher: Publisher; readonly log: Log },
): void {
  const { store, publisher, log } = house;
  const text = (settings['agent.about'] ?? '').trim();
  if (text === '') {
    log.write('warn', 'agent_about_is_empty');
    return;
  }
  const [first = ''] = text.split('\n');
  const said = {
    title: [...first.trim()].slice(0, LIMITS.titleCodePoints).join(''),
    text,
    tags: settings['agent.caps'].map((cap) => `cap:${cap}`),
  };
  const hash = announceHash(said);
  if (store.people.agent(AGENT)?.announced === hash) return;
  // Killed between the two, it is said once more at the next start; never left out.
  publisher.announce(said);
  store.people.setAnnounced(AGENT, hash);
  log.write('info', 'announced');
}
