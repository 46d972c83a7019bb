/* Where the page lies, and that it has to be served: browsers load no modules from a file's address. */
console.log("examples/playground/dist holds the page. To see it here: npm run playground:serve");
