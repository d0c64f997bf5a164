// An agent whose every word is an attack on the terminal that shows it. It says each in every kind of event and as a
// plain line, on stderr too, and answers what it was woken for with those that a post may hold.
import { readFileSync } from 'node:fs';
import { text as readAll } from 'node:stream/consumers';
import { McpClient } from '../../../integrations/example-agent/mcp-client.mjs';
import { ESCAPES, UNSEEN } from '../../support/terminal-attacks.ts';

const prompt = await readAll(process.stdin);
const ids = [...new Set(prompt.match(/\b[0-9a-f]{64}\b/g) ?? [])];
const wats = await McpClient.start(
  JSON.parse(readFileSync(process.env.WATS_MCP_CONFIG, 'utf8')).mcpServers.wats,
);

const tell = (event) => process.stdout.write(`${JSON.stringify(event)}\n`);
let n = 0;
for (const [what, attack] of Object.entries({ ...ESCAPES, ...UNSEEN })) {
  n += 1;
  const id = String(n);
  tell({ type: 'text', text: `${what}: ${attack}` });
  tell({ type: 'tool_call', id, name: attack, args: { [attack]: attack } });
  tell({ type: 'tool_result', id, ok: n % 2 === 0, text: `${attack}\n${attack}` });
  tell({ type: 'notice', level: 'error', text: attack });
  process.stdout.write(`${attack}\n`);
  process.stderr.write(`${attack}\n`);
}
for (const id of ids)
  await wats.callTool('reply', {
    kind: 'answer',
    parent: id,
    title: UNSEEN['reorders the line'],
    text: Object.entries(UNSEEN)
      .filter(([, text]) => text.length < 2_000)
      .map(([what, text]) => `${what}: ${text}`)
      .join('\n'),
  });
tell({ type: 'text', text: 'That was all of it.' });
await wats.stop();
