/**
 * A program in the place of `wats node --background --dir DIR`: it writes its pid to DIR/started, and serves just
 * enough MCP for a handshake. Like the daemon it yields to another one in the directory, and it ends by itself soon
 * after nobody is connected any more.
 */
export const FAKE_NODE = `
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:net';
const dir = process.argv[process.argv.indexOf('--dir') + 1];
appendFileSync(dir + '/started', process.pid + ' ' + JSON.stringify(process.env) + '\\n');
let open = 0;
let idle = setTimeout(() => process.exit(0), 10000);
const server = createServer((socket) => {
  open++;
  clearTimeout(idle);
  socket.on('error', () => {});
  socket.on('close', () => {
    if (--open === 0) idle = setTimeout(() => process.exit(0), 300);
  });
  let rest = '';
  socket.on('data', (chunk) => {
    rest += chunk;
    const lines = rest.split('\\n');
    rest = lines.pop();
    for (const line of lines) {
      const { id } = JSON.parse(line);
      if (id !== undefined) socket.write(JSON.stringify({ jsonrpc: '2.0', id, result: { pid: process.pid } }) + '\\n');
    }
  });
});
server.on('error', () => process.exit(75));
setTimeout(() => server.listen(dir + '/mcp.sock'), 200);
`;
