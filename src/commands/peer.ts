import type { PeerRow } from '../control/index.ts';
import { WatsError } from '../errors/index.ts';
import { age, shortNode, visible } from '../text/index.ts';
import { actionOf } from './support/actions.ts';
import type { Command, Context, Input } from './support/command.ts';
import { notesOn } from './support/peers.ts';
import { refuseInsideRun } from './support/person.ts';
import { withDaemon } from './support/place.ts';
import { print, printJson, table, widthOf } from './support/print.ts';

const ACTIONS: Readonly<Record<string, (input: Input, context: Context) => Promise<void>>> = {
  async list(input, context) {
    const peers = (await withDaemon(input, context, (client) => client.call('peer.list'))) as PeerRow[];
    if (input.on('json')) {
      printJson(context, peers);
      return;
    }
    if (peers.length === 0) {
      print(context.stderr, 'no peers; "wats peer invite" makes an invite');
      return;
    }
    const rows = table(
      peers,
      [
        { title: 'peer', cell: (peer) => peer.id },
        { title: 'state', cell: (peer) => peer.state },
        {
          title: 'seen',
          cell: (peer) => (peer.lastSeenAt === null ? '-' : age(peer.lastSeenAt, context.now())),
        },
      ],
      widthOf(context),
    );
    print(context.stdout, rows);
    for (const peer of peers) {
      const notes = notesOn(peer);
      if (notes !== '') print(context.stdout, `${shortNode(peer.id)}: ${notes}`);
    }
  },

  async invite(input, context) {
    const made = (await withDaemon(input, context, (client) =>
      client.call('peer.invite', { open: input.on('open') }),
    )) as {
      invite: string;
      private: boolean;
    };
    if (input.on('json')) printJson(context, made);
    else {
      print(context.stdout, made.invite);
      const secret = made.private
        ? 'It holds the key of your private swarm: whoever has it can read and post there.'
        : 'It is for the open swarm.';
      print(context.stderr, `Give this line to the other node: wats peer join INVITE. ${secret}`);
    }
  },

  async join(input, context) {
    const invite = word(input, 1, 'the invite is missing', 'wats peer join INVITE');
    const joined = (await withDaemon(input, context, (client) => client.call('peer.join', { invite }))) as {
      peers: string[];
    };
    if (input.on('json')) printJson(context, joined);
    else
      print(
        context.stdout,
        `joined; dialling ${joined.peers.map((peer) => visible(peer, 'line')).join(', ')}`,
      );
  },

  async add(input, context) {
    const address = word(
      input,
      1,
      'the address is missing',
      'wats peer add /ip4/192.0.2.1/tcp/4001/p2p/12D3KooW…',
    );
    await withDaemon(input, context, (client) => client.call('peer.add', { address }));
    if (input.on('json')) printJson(context, { added: address });
    else print(context.stdout, 'added');
  },

  async remove(input, context) {
    const peer = word(input, 1, 'the id of a peer is missing', 'wats peer list shows them');
    await withDaemon(input, context, (client) => client.call('peer.remove', { peer }));
    if (input.on('json')) printJson(context, { removed: peer });
    else print(context.stdout, 'removed');
  },
};

export const command: Command = {
  usage: [
    'wats peer list',
    'wats peer invite [--open]',
    'wats peer join INVITE',
    'wats peer add ADDRESS',
    'wats peer remove ID',
  ],
  about:
    'Other nodes. An invite is one line with the address, the node’s id and the swarm’s key (made when there is none).',
  flags: {
    open: { type: 'boolean', help: 'with invite: stay in the open swarm, make no key' },
    json: { type: 'boolean', help: 'print JSON instead of text' },
  },
  async run(input, context) {
    const { name, act } = actionOf('peer', ACTIONS, input);
    if (name !== 'list') await refuseInsideRun('choose who its node talks to', context);
    await act(input, context);
    return 0;
  },
};

function word(input: Input, at: number, missing: string, fix: string): string {
  const found = input.words[at];
  if (found === undefined) throw new WatsError('usage', missing, { fix });
  return found;
}
