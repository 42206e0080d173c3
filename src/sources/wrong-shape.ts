/** A whole document of another form than expected; requesting it again would not help. */
export class WrongShape extends SyntaxError {}
