/** The folder of the project. */
export declare const ROOT: string
/** One hash of files and whole folders, without build output, relative to the root; a missing one changes the hash. */
export declare function hashOf(paths: readonly string[]): string
export declare function hashOfText(text: string): string
/** Everything that a complete build and its staging depend on. */
export declare function buildInputs(): string[]
export declare function workspaceFolders(): string[]
export declare function workspaceInputs(folder: string): string[]
/** The hash of the inputs with which a step was last completed; '' if there is none. */
export declare function readStamp(name: string): string
export declare function writeStamp(name: string, text: string): void
