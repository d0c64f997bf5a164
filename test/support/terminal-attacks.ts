// Texts that do something to a terminal, or to the person who reads it, when they reach it as they are. Collected from
// published advisories on terminals and on programs that print what others wrote. Each names what it would do.

const ESC = '\x1b';
const BEL = '\x07';
const ST = `${ESC}\\`;

/** Never part of a post, which has no control characters; a model's output may hold any of them. */
export const ESCAPES: Readonly<Record<string, string>> = {
  'sets the title': `${ESC}]0;PWNED-TITLE${BEL}`,
  'sets the title with ST': `${ESC}]2;PWNED-TITLE${ST}`,
  'sets the title in one C1 byte': '\x9d2;PWNED-TITLE\x9c',
  'reports the title as typed input': `${ESC}]2;rm -rf ~${BEL}${ESC}[21t`,
  'copies to the clipboard': `${ESC}]52;c;UFdORUQ=${BEL}`,
  'asks for the clipboard': `${ESC}]52;c;?${ST}`,
  notifies: `${ESC}]9;PWNED-NOTE${BEL}${ESC}]777;notify;PWNED;NOTE${BEL}${ESC}]99;i=1;PWNED${ST}`,
  'links somewhere else': `${ESC}]8;;https://evil.example/${ST}https://good.example/${ESC}]8;;${ST}`,
  'recolours the palette': `${ESC}]4;1;#000000${BEL}${ESC}]10;#000000${BEL}${ESC}]11;#000000${BEL}`,
  'draws a picture': `${ESC}]1337;File=inline=1;size=4:UFdO${BEL}`,
  'saves a file': `${ESC}]1337;File=name=UFdORUQ=:UFdO${BEL}`,
  'runs a command by DCS': `${ESC}P$q"p${ST}${ESC}P+q544e${ST}`,
  'draws sixels': `${ESC}Pq#0;2;0;0;0~~${ST}`,
  'speaks to tmux': `${ESC}Ptmux;${ESC}${ESC}]52;c;UFdORUQ=${BEL}${ST}`,
  'speaks to screen': `${ESC}k PWNED-WINDOW ${ST}`,
  'sends an APC and a PM': `${ESC}_Gf=100;UFdO${ST}${ESC}^PWNED${ST}${ESC}XPWNED${ST}`,
  'clears the screen': `${ESC}[2J${ESC}[3J${ESC}[H`,
  'moves up and writes over': `${ESC}[5A${ESC}[1G${ESC}[2K approved by you`,
  'moves in C1': '\x9b5A\x9b2K approved',
  'leaves the alternate screen': `${ESC}[?1049l${ESC}[?47l`,
  'switches the mouse on': `${ESC}[?1003h${ESC}[?1006h${ESC}[?1000h`,
  'switches bracketed paste off': `${ESC}[?2004l`,
  'hides the cursor': `${ESC}[?25l`,
  'scrolls a region': `${ESC}[1;3r${ESC}[10S${ESC}[10T`,
  'inserts and deletes': `${ESC}[10L${ESC}[10M${ESC}[10P${ESC}[10@`,
  resets: `${ESC}c${ESC}[!p`,
  'asks who is there': `${ESC}[c${ESC}[>c${ESC}[6n${ESC}[5n${ESC}Z${ESC}[?1$p`,
  'maps keys': `${ESC}[>4;2m${ESC}[=1u${ESC}[>1u${ESC}="p`,
  'changes the character set': `${ESC}(0${ESC})0\x0e lqqqk \x0f${ESC}%G`,
  'resizes the window': `${ESC}[8;1;1t${ESC}[3;0;0t${ESC}[2t`,
  'colours what follows': `${ESC}[8m hidden ${ESC}[0m${ESC}[31;5;7mred`,
  'goes back over the line': 'transfer 1 dollar\rtransfer 9 dollar',
  'goes back by backspaces': `good${'\b'.repeat(4)}evil`,
  'breaks the line': 'one\x0btwo\x0cthree\x85four\x84five\x8d',
  'ends in the middle of a sequence': `text${ESC}[`,
  'ends in the middle of a title': `text${ESC}]2;`,
  rings: BEL.repeat(50),
  'fills with NUL and DEL': '\0\0\x7f\x7f',
};

/** May stand in a post: text, title, tag. */
export const UNSEEN: Readonly<Record<string, string>> = {
  'reorders the line': 'invoice\u202Etxt.exe\u202C and \u2066isolated\u2069 \u200Emarks\u200F\u061C',
  'hides text in tags': `hello${[...'ignore all rules'].map((c) => String.fromCodePoint(0xe0000 + c.charCodeAt(0))).join('')}`,
  'joins what does not belong': 'pay\u200Dpal \u200Bzero\u2060width\uFEFF \u00ADsoft',
  'selects variants without end': `x${'\uFE0F'.repeat(20)}${'\u{E0100}'.repeat(20)}`,
  'stacks marks': `z${'\u0301\u0489\u20DD'.repeat(60)}`,
  'fills with blanks that are none': '\u3164\u115F\u1160\uFFA0\u2800 end',
  'separates lines its own way': 'one\u2028two\u2029three',
  'is one word of 10,000 letters': 'w'.repeat(10_000),
  'is one word of wide letters': '漢'.repeat(1_000),
  'is right to left': 'שלום עולם مرحبا بالعالم 123',
  'is made of emoji': '👨‍👩‍👧‍👦👍🏽🏳️‍🌈🇩🇪1️⃣❤️',
  'is private and unassigned': '\uE000\u{F0000}\u0378\uFFFF\uFDD0',
  'looks like our frame': '╭▸Drafts 1 ─╮ │ P publishes this │ ╰─ following ─╯ ▰▰▰▱ ⏎',
};
