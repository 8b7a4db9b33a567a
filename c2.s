	.file	"compress2.c"
	.text
	.p2align 4
	.globl	aplc_run
	.type	aplc_run, @function
aplc_run:
.LFB6482:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset 6, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register 6
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	.cfi_offset 15, -24
	.cfi_offset 14, -32
	.cfi_offset 13, -40
	.cfi_offset 12, -48
	.cfi_offset 3, -56
	movq	%rdi, %r15
	andq	$-32, %rsp
	subq	$32, %rsp
	movq	24(%rsi), %rax
	movq	16(%rsi), %r13
	movq	(%rax), %rbx
	movq	(%rsi), %rax
	vmovsd	(%rax), %xmm3
	testq	%rbx, %rbx
	js	.L6
	movq	%rdx, %r12
	xorl	%edx, %edx
	movabsq	$4611686018427387903, %rax
	imulq	$8, %rbx, %rcx
	seto	%dl
	cmpq	%rax, %rcx
	jg	.L6
	testq	%rdx, %rdx
	jne	.L6
	leaq	64(%rcx), %rdx
	cmpq	$4194303, %rcx
	jg	.L7
	leaq	24(%rsp), %rdi
	movl	$64, %esi
	vmovsd	%xmm3, 8(%rsp)
	call	posix_memalign@PLT
	testl	%eax, %eax
	vmovsd	8(%rsp), %xmm3
	jne	.L6
	movq	24(%rsp), %r14
.L13:
	testq	%r14, %r14
	je	.L6
	movq	%rbx, %r8
	andq	$-8, %r8
	je	.L16
	movq	%r13, %rcx
	leaq	0(%r13,%r8,8), %rdi
	xorl	%eax, %eax
	vbroadcastsd	%xmm3, %ymm2
	leaq	aplc_pack_order(%rip), %rsi
	.p2align 4
	.p2align 3
.L10:
	vcmpnltpd	(%rcx), %ymm2, %ymm1
	vmovupd	32(%rcx), %ymm0
	addq	$64, %rcx
	vmovmskpd	%ymm1, %edx
	xorl	$15, %edx
	movslq	%edx, %r9
	popcntl	%edx, %edx
	salq	$5, %r9
	addq	%rax, %rdx
	vmovdqa	(%rsi,%r9), %ymm1
	vpermd	-64(%rcx), %ymm1, %ymm1
	vmovdqu	%ymm1, (%r14,%rax,8)
	vcmpnltpd	%ymm0, %ymm2, %ymm1
	vmovmskpd	%ymm1, %eax
	xorl	$15, %eax
	movslq	%eax, %r9
	popcntl	%eax, %eax
	salq	$5, %r9
	addq	%rdx, %rax
	vmovdqa	(%rsi,%r9), %ymm1
	vpermd	%ymm0, %ymm1, %ymm0
	vmovdqu	%ymm0, (%r14,%rdx,8)
	cmpq	%rcx, %rdi
	jne	.L10
	vzeroupper
.L9:
	cmpq	%r8, %rbx
	jle	.L11
	leaq	0(%r13,%r8,8), %rdx
	leaq	0(%r13,%rbx,8), %rsi
	.p2align 4
	.p2align 3
.L12:
	vmovsd	(%rdx), %xmm0
	xorl	%ecx, %ecx
	vcomisd	%xmm3, %xmm0
	seta	%cl
	addq	$8, %rdx
	vmovsd	%xmm0, (%r14,%rax,8)
	addq	%rcx, %rax
	cmpq	%rsi, %rdx
	jne	.L12
.L11:
.L3:
	movq	8(%r12), %rdx
	movq	%r14, (%r12)
	movq	%rax, (%rdx)
	leaq	-40(%rbp), %rsp
	xorl	%eax, %eax
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	.cfi_remember_state
	.cfi_def_cfa 7, 8
	ret
.L7:
	.cfi_restore_state
	leaq	24(%rsp), %rdi
	movl	$2097152, %esi
	movq	%rcx, (%rsp)
	vmovsd	%xmm3, 8(%rsp)
	call	posix_memalign@PLT
	testl	%eax, %eax
	vmovsd	8(%rsp), %xmm3
	movq	(%rsp), %rcx
	je	.L14
.L6:
	movq	$0, 16(%r15)
	movq	%rbx, 24(%r15)
	movq	$0, 32(%r15)
	leaq	-40(%rbp), %rsp
	movl	$1, %eax
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	.cfi_remember_state
	.cfi_def_cfa 7, 8
	ret
.L14:
	.cfi_restore_state
	movq	24(%rsp), %r14
	movl	$14, %edx
	movq	%rcx, %rsi
	vmovsd	%xmm3, 8(%rsp)
	movq	%r14, %rdi
	call	madvise@PLT
	vmovsd	8(%rsp), %xmm3
	jmp	.L13
.L16:
	xorl	%eax, %eax
	jmp	.L9
	.cfi_endproc
.LFE6482:
	.size	aplc_run, .-aplc_run
	.section	.rodata
	.align 32
	.type	aplc_pack_order, @object
	.size	aplc_pack_order, 512
aplc_pack_order:
	.long	0
	.long	1
	.long	2
	.long	3
	.long	4
	.long	5
	.long	6
	.long	7
	.long	0
	.long	1
	.long	2
	.long	3
	.long	4
	.long	5
	.long	6
	.long	7
	.long	2
	.long	3
	.long	0
	.long	1
	.long	4
	.long	5
	.long	6
	.long	7
	.long	0
	.long	1
	.long	2
	.long	3
	.long	4
	.long	5
	.long	6
	.long	7
	.long	4
	.long	5
	.long	0
	.long	1
	.long	2
	.long	3
	.long	6
	.long	7
	.long	0
	.long	1
	.long	4
	.long	5
	.long	2
	.long	3
	.long	6
	.long	7
	.long	2
	.long	3
	.long	4
	.long	5
	.long	0
	.long	1
	.long	6
	.long	7
	.long	0
	.long	1
	.long	2
	.long	3
	.long	4
	.long	5
	.long	6
	.long	7
	.long	6
	.long	7
	.long	0
	.long	1
	.long	2
	.long	3
	.long	4
	.long	5
	.long	0
	.long	1
	.long	6
	.long	7
	.long	2
	.long	3
	.long	4
	.long	5
	.long	2
	.long	3
	.long	6
	.long	7
	.long	0
	.long	1
	.long	4
	.long	5
	.long	0
	.long	1
	.long	2
	.long	3
	.long	6
	.long	7
	.long	4
	.long	5
	.long	4
	.long	5
	.long	6
	.long	7
	.long	0
	.long	1
	.long	2
	.long	3
	.long	0
	.long	1
	.long	4
	.long	5
	.long	6
	.long	7
	.long	2
	.long	3
	.long	2
	.long	3
	.long	4
	.long	5
	.long	6
	.long	7
	.long	0
	.long	1
	.long	0
	.long	1
	.long	2
	.long	3
	.long	4
	.long	5
	.long	6
	.long	7
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
