export * from './encode/encode'
export * from './decode/scan'
export * from './decode/walk'
export * from './profile/profile'
