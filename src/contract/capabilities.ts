/**
 * The level with the least access that has each capability. A lower number means more access; 10 is everyone who is signed in. Both sides read this table;
 * levels are defined nowhere else.
 */
export const capabilities = {
  'browse the directory': 10,
  'manage the network': 6,
  'manage administrators': 6,
  'open a SIS site': 6,
  'read a charter affair': 6,
  'read a history': 6,
  'edit a site': 6,
  'edit a person': 6,
  'archive a record': 6,
  'share a view': 6,
  'answer requests': 6,
  'edit a charter affair': 5,
  'manage deadlines': 5,
  'change the settings': 5,
  'show charter affairs in a channel': 5,
  'import files': 5,
  'read the audit trail': 1,
  'erase personal data': 1,
  'connect the directory': 1,
  'see searches without results': 1,
  'see who downloaded': 1,
  'end anyone’s sessions': 1,
  'delete anyone’s comments': 1,
  'see the error log': 1,
  'see usage': 1,
  'manage webhooks': 1,
  'set up the program': 1,
  'connect assistants': 1,
  'see the state of the server': 1,
} as const satisfies Record<string, number>

export type Capability = keyof typeof capabilities

/** The level of someone who is signed in without a permission record. */
export const BROWSE_LEVEL = 10

/** Whether this level has the capability. */
export const can = (level: number, capability: Capability): boolean => level <= capabilities[capability]
