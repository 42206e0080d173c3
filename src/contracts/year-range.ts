/*
 * The years 1 to 9999, which every reader of the outputs knows, in seconds, milliseconds and days since 1970 UTC. The kernel
 * has them too.
 */
export const firstSecond = -62_135_596_800
export const lastSecond = 253_402_300_799
export const firstMillisecond = -62_135_596_800_000
export const lastMillisecond = 253_402_300_799_999
export const firstDay = -719_162
export const lastDay = 2_932_896
